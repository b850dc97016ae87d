-- The embedded event store: rows as they arrived, and beside them what is counted from them.
--
-- The id of a row is its UTC day of receipt times 2^32 plus a number within that day, so that a
-- day is a range of ids: the partition needs no column and no index of its own. Tables are not
-- `strict`: a value of an unexpected type is kept as it came rather than failing its batch.

create table errors (
  id integer primary key,
  project_id integer not null,
  received_at real not null,
  timestamp real not null,
  tags text,
  event_id text not null,
  type text,
  grouping_hash text,
  level text,
  title text,
  culprit text,
  message text,
  platform text,
  release text,
  environment text,
  dist text,
  "transaction" text,
  url text,
  handled integer,
  user_key text,
  user_label text,
  trace_id text,
  span_id text,
  replay_id text,
  sdk text,
  browser text,
  os text,
  client_timestamp real
);
create unique index errors_key on errors (event_id, project_id);

create table transactions (
  id integer primary key,
  project_id integer not null,
  received_at real not null,
  timestamp real not null,
  tags text,
  event_id text not null,
  name text,
  op text,
  source text,
  status text,
  duration_ms real,
  trace_id text,
  span_id text,
  release text,
  environment text,
  platform text,
  user_key text,
  user_label text,
  url text,
  replay_id text,
  sdk text,
  browser text,
  os text,
  client_timestamp real
);
create unique index transactions_key on transactions (event_id, project_id);

create table spans (
  id integer primary key,
  project_id integer not null,
  received_at real not null,
  timestamp real not null,
  trace_id text not null,
  span_id text not null,
  parent_span_id text,
  segment_id text,
  is_segment integer,
  name text,
  op text,
  origin text,
  status text,
  duration_ms real,
  self_time_ms real,
  segment_name text,
  segment_source text,
  service text,
  release text,
  environment text,
  platform text,
  user_key text,
  replay_id text,
  event_id text,
  sdk text,
  browser text,
  client_timestamp real
);
create unique index spans_key on spans (trace_id, span_id, project_id);

create table vitals (
  id integer primary key,
  project_id integer not null,
  received_at real not null,
  timestamp real not null,
  trace_id text not null,
  segment_id text not null,
  name text not null,
  value real,
  element text,
  segment_name text,
  release text,
  environment text,
  browser text
);
create unique index vitals_key on vitals (trace_id, segment_id, name, project_id);

create table replay_segments (
  id integer primary key,
  project_id integer not null,
  received_at real not null,
  timestamp real not null,
  tags text,
  replay_id text not null,
  segment_id integer not null,
  replay_type text,
  started_at real,
  first_event_at real,
  last_event_at real,
  blob_key text,
  recording_bytes integer,
  event_count integer,
  urls text,
  error_ids text,
  trace_ids text,
  clicks integer,
  dead_clicks integer,
  rage_clicks integer,
  warnings integer,
  infos integer,
  release text,
  environment text,
  platform text,
  user_key text,
  user_label text,
  browser text,
  os text,
  device text,
  sdk text,
  client_timestamp real
);
create unique index replay_segments_key on replay_segments (replay_id, segment_id, project_id);

create table sessions (
  id integer primary key,
  project_id integer not null,
  received_at real not null,
  timestamp real not null,
  key text not null,
  sid text,
  did text,
  status text,
  seq integer,
  is_init integer,
  started_at real,
  duration_s real,
  errors integer,
  exited integer,
  errored integer,
  abnormal integer,
  crashed integer,
  release text,
  environment text
);
create unique index sessions_key on sessions (key, project_id);

create table check_ins (
  id integer primary key,
  project_id integer not null,
  received_at real not null,
  timestamp real not null,
  check_in_id text not null,
  monitor_slug text,
  status text not null,
  duration_s real,
  release text,
  environment text,
  trace_id text
);
create unique index check_ins_key on check_ins (check_in_id, status, project_id);

create table feedback (
  id integer primary key,
  project_id integer not null,
  received_at real not null,
  timestamp real not null,
  tags text,
  event_id text not null,
  message text,
  name text,
  email text,
  url text,
  source text,
  associated_event_id text,
  replay_id text,
  trace_id text,
  release text,
  environment text,
  user_key text,
  user_label text
);
create unique index feedback_key on feedback (event_id, project_id);

create table logs (
  id integer primary key,
  project_id integer not null,
  received_at real not null,
  timestamp real not null,
  key text not null,
  trace_id text,
  span_id text,
  level text,
  severity integer,
  body text,
  sequence integer,
  release text,
  environment text,
  replay_id text,
  user_key text,
  service text
);
create unique index logs_key on logs (key, project_id);

create table metrics (
  id integer primary key,
  project_id integer not null,
  received_at real not null,
  timestamp real not null,
  key text not null,
  name text,
  type text,
  value real,
  unit text,
  trace_id text,
  span_id text,
  release text,
  environment text
);
create unique index metrics_key on metrics (key, project_id);

create table attachments (
  id integer primary key,
  project_id integer not null,
  received_at real not null,
  timestamp real not null,
  event_id text not null,
  name text not null,
  sha256 text not null,
  type text,
  content_type text,
  bytes integer,
  blob_key text
);
create unique index attachments_key on attachments (event_id, name, sha256, project_id);

create table replays (
  id integer primary key,
  project_id integer not null,
  received_at real not null,
  timestamp real not null,
  replay_id text not null,
  replay_type text,
  started_at real,
  finished_at real,
  duration_ms real,
  segment_count integer,
  recording_bytes integer,
  error_count integer,
  warning_count integer,
  info_count integer,
  url_count integer,
  clicks integer,
  dead_clicks integer,
  rage_clicks integer,
  activity integer,
  urls text,
  error_ids text,
  trace_ids text,
  release text,
  environment text,
  platform text,
  user_key text,
  user_label text,
  browser text,
  os text,
  device text,
  sdk text
);
create unique index replays_key on replays (replay_id, project_id);

-- Orders and look-ups of the tables above. Some carry columns at their end so that people and replays
-- are counted from the index alone. Labels are compared without case, and so are their indexes.
create index errors_hash on errors (project_id, grouping_hash, timestamp, user_key, replay_id);
create index errors_time on errors (project_id, timestamp, user_key);
create index errors_trace on errors (trace_id) where trace_id is not null;
create index errors_replay on errors (replay_id, project_id, event_id) where replay_id is not null;
create index errors_user on errors (user_key collate nocase) where user_key is not null;
create index transactions_time on transactions (project_id, timestamp);
create index transactions_trace on transactions (trace_id) where trace_id is not null;
create index spans_time on spans (project_id, timestamp);
create index spans_segment on spans (project_id, timestamp, segment_name, op, user_key)
  where is_segment = 1;
create index vitals_time on vitals (project_id, timestamp);
create index replay_segments_time on replay_segments (project_id, timestamp);
create index replays_time on replays (project_id, started_at);
create index replays_errors on replays (project_id, error_count);
create index replays_duration on replays (project_id, duration_ms);
create index sessions_time on sessions (project_id, timestamp);
create index check_ins_time on check_ins (project_id, timestamp);
create index check_ins_monitor on check_ins (project_id, monitor_slug collate nocase, timestamp);
create index feedback_time on feedback (project_id, timestamp);
create index logs_time on logs (project_id, timestamp);
create index logs_trace on logs (trace_id) where trace_id is not null;
create index metrics_time on metrics (project_id, timestamp);
create index metrics_name on metrics (project_id, name collate nocase, timestamp);
create index attachments_time on attachments (project_id, timestamp);
create index attachments_blob on attachments (blob_key);

-- Payloads of neighbouring rows, compressed together. A row's block is the one with the greatest
-- `first_id` that is not above the row's id; `is_small` ones are waiting to be joined.
create table payload_blocks (
  table_number integer not null,
  first_id integer not null,
  last_id integer not null,
  row_count integer not null,
  raw_bytes integer not null,
  is_small integer not null,
  bytes blob not null,
  unique (table_number, first_id)
);
create index payload_blocks_small on payload_blocks (table_number, first_id) where is_small = 1;

-- The dictionary of tags. A row's `tags` is a JSON array of pair ids. A pair without a value stands
-- for the values past the limit in `tag_counts`.
create table tag_pairs (
  id integer primary key,
  project_id integer not null,
  key text not null,
  value text,
  last_used_day integer not null
);
create unique index tag_pairs_value on tag_pairs (key, value collate nocase, project_id, value);
create index tag_pairs_project on tag_pairs (project_id);
create index tag_pairs_day on tag_pairs (last_used_day);

-- Which error events carry a pair.
create table error_tags (
  pair_id integer not null,
  error_id integer not null,
  primary key (pair_id, error_id)
) without rowid;

-- Totals of each grouping hash ('' stands for none).
create table error_hashes (
  id integer primary key,
  project_id integer not null,
  hash text not null,
  count integer not null default 0,
  users integer not null default 0,
  first_seen real,
  last_seen real
);
create unique index error_hashes_hash on error_hashes (project_id, hash);
create index error_hashes_last_seen on error_hashes (project_id, last_seen);

create table error_hours (
  project_id integer not null,
  hour integer not null, -- hours since the epoch
  hash_id integer not null,
  count integer not null,
  primary key (project_id, hour, hash_id)
) without rowid;
create index error_hours_hash on error_hours (hash_id, hour);

create table error_users (
  hash_id integer not null,
  user_key text not null,
  count integer not null,
  primary key (hash_id, user_key)
) without rowid;

create table tag_counts (
  hash_id integer not null,
  pair_id integer not null,
  day integer not null, -- days since the epoch
  count integer not null,
  primary key (hash_id, pair_id, day)
) without rowid;

-- How many values of a key a hash has been given counters for.
create table tag_value_counts (
  hash_id integer not null,
  key text not null,
  value_count integer not null,
  primary key (hash_id, key)
) without rowid;

-- Histograms: `kind` 1 durations of segment spans (label: op), 2 web vitals (label: name).
create table histogram_series (
  id integer primary key,
  kind integer not null,
  project_id integer not null,
  segment_name text,
  label text,
  environment text
);
create index histogram_series_name on histogram_series (
  project_id, kind, segment_name, label, environment
);

create table histogram_hours (
  project_id integer not null,
  kind integer not null,
  hour integer not null,
  series_id integer not null,
  row_count integer not null,
  failed integer not null,
  total real not null,
  buckets blob not null,
  primary key (project_id, kind, hour, series_id)
) without rowid;

create table outcomes (
  project_id integer not null,
  hour integer not null,
  type text not null,
  outcome text not null,
  reason text not null, -- '' for none
  items integer not null,
  quantity integer not null,
  primary key (project_id, hour, type, outcome, reason)
) without rowid;

-- Deliveries of the queue whose effects are in here.
create table applied_deliveries (
  id integer primary key,
  delivery_id text not null unique
);

-- Items that bring no rows, by their identity.
create table item_identities (
  project_id integer not null,
  identity text not null,
  received_at real not null,
  primary key (project_id, identity)
) without rowid;
create index item_identities_time on item_identities (received_at);

create table outbox (
  sequence integer primary key autoincrement,
  project_id integer not null,
  received_at real not null,
  effect text not null
);

-- Replays that were removed: later segments of them are refused. `removed_at` is set by the first
-- maintenance after the removal.
create table removed_replays (
  replay_id text not null,
  project_id integer not null,
  removed_at real,
  primary key (replay_id, project_id)
) without rowid;

-- Projects that ever had a row.
create table event_projects (project_id integer primary key);
