-- A release that is archived is left out of lists.
alter table releases add column archived_at bigint;

-- The commits of a release, as build tools send them; `position` counts from 0, the newest first.
create table release_commits (
  project_id integer not null references projects (id) on delete cascade,
  version text not null,
  position integer not null,
  commit_id text not null,
  repository text,
  message text,
  author_name text,
  author_email text,
  committed_at bigint,
  primary key (project_id, version, position)
);
