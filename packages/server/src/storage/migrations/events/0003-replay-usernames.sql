-- The name of a replay's user, beside what people are counted by and what is shown of them.
alter table replay_segments add column username text;
alter table replays add column username text;
