-- Nothing that opens a door stands here as it is: sessions and share links are known by the sha256 of
-- their tokens. Sessions are begun anew. A share link made before goes on, but cannot be shown again.
delete from sessions;

create table shares_by_hash (
  id integer primary key,
  token_hash text not null unique,
  -- The link's token is made of it and the server's secret key; null for a link made before.
  seed text,
  kind text not null,
  project_id integer not null references projects (id) on delete cascade,
  issue_id integer references issues (id) on delete cascade,
  replay_id text,
  created_by text references users ("id") on delete set null,
  created_at bigint not null,
  revoked_at bigint
);
insert into shares_by_hash
  select id, sha256(token), null, kind, project_id, issue_id, replay_id, created_by, created_at, revoked_at
  from shares;
drop table shares;
alter table shares_by_hash rename to shares;
create index shares_by_issue on shares (issue_id) where issue_id is not null;
create index shares_by_replay on shares (project_id, replay_id) where replay_id is not null;

-- What the settings of the environment have done once, so that it is not done at every start.
create table applied_settings (
  name text not null primary key,
  value text not null
);
