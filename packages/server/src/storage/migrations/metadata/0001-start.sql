-- Times are ms since the epoch, booleans 0 or 1, JSON is text. The tables of sign-in (users to
-- verifications) have the columns better-auth 1.7 reads and writes; their dates are ISO texts.

create table organizations (
  id integer primary key,
  slug text not null unique,
  name text not null,
  created_at bigint not null,
  -- Ids of deleted projects are not used again.
  last_project_id integer not null default 0
);

create table projects (
  id integer primary key,
  slug text not null unique,
  name text not null,
  platform text,
  created_at bigint not null,
  settings text not null default '{}',
  first_event_at bigint,
  -- Short ids are numbered within a project; a number is never used twice.
  last_issue_number integer not null default 0
);

create table project_keys (
  public_key text primary key,
  project_id integer not null references projects (id) on delete cascade,
  label text not null,
  is_active integer not null default 1,
  created_at bigint not null
);
create index project_keys_by_project on project_keys (project_id);

create table users (
  "id" text not null primary key,
  "name" text not null,
  "email" text not null unique,
  "emailVerified" integer not null,
  "image" text,
  "createdAt" text not null,
  "updatedAt" text not null
);

create table sessions (
  "id" text not null primary key,
  "expiresAt" text not null,
  "token" text not null unique,
  "createdAt" text not null,
  "updatedAt" text not null,
  "ipAddress" text,
  "userAgent" text,
  "userId" text not null references users ("id") on delete cascade
);
create index sessions_by_user on sessions ("userId");

create table accounts (
  "id" text not null primary key,
  "accountId" text not null,
  "providerId" text not null,
  "userId" text not null references users ("id") on delete cascade,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" text,
  "refreshTokenExpiresAt" text,
  "scope" text,
  "password" text,
  "createdAt" text not null,
  "updatedAt" text not null
);
create index accounts_by_user on accounts ("userId");

create table verifications (
  "id" text not null primary key,
  "identifier" text not null,
  "value" text not null,
  "expiresAt" text not null,
  "createdAt" text not null,
  "updatedAt" text not null
);
create index verifications_by_identifier on verifications ("identifier");

-- Only the sha256 of a token is kept.
create table api_tokens (
  id integer primary key,
  token_hash text not null unique,
  name text not null,
  scopes text not null default '[]',
  user_id text references users ("id") on delete cascade,
  created_at bigint not null,
  last_used_at bigint
);

-- The one-time link that makes the owner account; spent when used_at is set.
create table setup_links (
  token_hash text primary key,
  created_at bigint not null,
  used_at bigint
);

-- What an issue says of its events (title, level, …) is taken from the newest of them; how many
-- there are is known to the events store only.
create table issues (
  id integer primary key,
  project_id integer not null references projects (id) on delete cascade,
  short_id text not null unique,
  title text not null,
  culprit text not null,
  kind text not null,
  metadata text not null,
  level text not null,
  platform text not null,
  logger text,
  is_unhandled integer not null,
  grouping_version text not null,
  first_seen bigint not null,
  last_seen bigint not null,
  newest_event_id text not null,
  first_release text,
  first_release_at bigint,
  last_release text,
  last_release_at bigint,
  status text not null default 'unresolved',
  -- escalating, regressed, archived_…; null where age decides between new and ongoing.
  substatus text,
  status_details text not null default '{}',
  status_changed_at bigint not null,
  -- Archived for a time: when it ends.
  archived_until bigint,
  assignee_id text references users ("id") on delete set null,
  assigned_at bigint
);
create index issues_by_last_seen on issues (project_id, last_seen);
create index issues_by_first_seen on issues (project_id, first_seen);
create index issues_by_archive on issues (archived_until) where archived_until is not null;

create table issue_hashes (
  project_id integer not null references projects (id) on delete cascade,
  hash text not null,
  issue_id integer not null references issues (id) on delete cascade,
  grouping_version text not null,
  primary key (project_id, hash)
);
create index issue_hashes_by_issue on issue_hashes (issue_id);

create table issue_activity (
  id integer primary key,
  issue_id integer not null references issues (id) on delete cascade,
  type text not null,
  user_id text references users ("id") on delete set null,
  created_at bigint not null,
  data text not null default '{}'
);
create index issue_activity_by_issue on issue_activity (issue_id, created_at);

create table issue_comments (
  id integer primary key,
  issue_id integer not null references issues (id) on delete cascade,
  user_id text references users ("id") on delete set null,
  text text not null,
  created_at bigint not null
);
create index issue_comments_by_issue on issue_comments (issue_id, created_at);

create table issue_seen (
  issue_id integer not null references issues (id) on delete cascade,
  user_id text not null references users ("id") on delete cascade,
  seen_at bigint not null,
  primary key (issue_id, user_id)
);

create table bookmarks (
  issue_id integer not null references issues (id) on delete cascade,
  user_id text not null references users ("id") on delete cascade,
  created_at bigint not null,
  primary key (issue_id, user_id)
);

create table releases (
  project_id integer not null references projects (id) on delete cascade,
  version text not null,
  created_at bigint not null,
  -- Of its events; null for a release that was announced and not seen yet.
  first_seen bigint,
  last_seen bigint,
  released_at bigint,
  reference text,
  url text,
  primary key (project_id, version)
);

create table deploys (
  id integer primary key,
  project_id integer not null references projects (id) on delete cascade,
  version text not null,
  environment text not null,
  name text,
  url text,
  started_at bigint,
  finished_at bigint not null
);
create index deploys_by_release on deploys (project_id, version);

create table environments (
  id integer primary key,
  project_id integer not null references projects (id) on delete cascade,
  name text not null,
  created_at bigint not null,
  unique (project_id, name)
);

create table monitors (
  id integer primary key,
  project_id integer not null references projects (id) on delete cascade,
  slug text not null,
  name text not null,
  config text not null default '{}',
  -- Time of the check-in that brought the config; 0 when none did.
  config_at bigint not null default 0,
  created_at bigint not null,
  unique (project_id, slug)
);

create table monitor_environments (
  monitor_id integer not null references monitors (id) on delete cascade,
  name text not null,
  status text not null,
  last_check_in_at bigint not null,
  primary key (monitor_id, name)
);

create table shares (
  id integer primary key,
  token text not null unique,
  kind text not null,
  project_id integer not null references projects (id) on delete cascade,
  issue_id integer references issues (id) on delete cascade,
  replay_id text,
  created_by text references users ("id") on delete set null,
  created_at bigint not null,
  revoked_at bigint
);
create index shares_by_issue on shares (issue_id) where issue_id is not null;
create index shares_by_replay on shares (project_id, replay_id) where replay_id is not null;

-- One row: the last entry of the events store's outbox that was applied here.
create table outbox_cursor (
  id integer primary key,
  sequence bigint not null
);
insert into outbox_cursor (id, sequence) values (1, 0);
insert into organizations (id, slug, name, created_at) values (1, 'main', 'Main', 0);

-- What is to be deleted from the events store (a RemoveSelector as JSON): asked for by web, done by
-- process, which alone writes there.
create table removals (
  id integer primary key,
  selector text not null,
  requested_at bigint not null
);
