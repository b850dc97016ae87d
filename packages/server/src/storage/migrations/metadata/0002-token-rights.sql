-- An empty list of rights meant all of them; from here on a token names what it may do.
update api_tokens set scopes = '["read","write"]' where scopes = '[]';
