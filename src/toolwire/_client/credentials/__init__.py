"""Who calls: an API key, a credential of google.auth, a client certificate, or nobody."""
