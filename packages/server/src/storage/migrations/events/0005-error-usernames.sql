-- The name of an error's user, beside what people are counted by and what is shown of them.
alter table errors add column username text;
