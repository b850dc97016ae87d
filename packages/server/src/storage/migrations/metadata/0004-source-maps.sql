-- Bytes of uploaded files: each content once, by its sha1, whoever uploads it.
create table artifact_files (
  sha1 text not null primary key,
  blob_key text not null,
  -- Uncompressed.
  bytes bigint not null,
  -- When an upload last asked for it; one that nothing names is deleted some time later.
  used_at bigint not null
);

-- One upload: an archive, files sent one by one for a release, or files of the watched folder.
create table artifact_bundles (
  id integer primary key,
  project_id integer not null references projects (id) on delete cascade,
  -- archive, files, folder
  origin text not null,
  -- Sha1 of the archive; empty for other origins.
  checksum text not null,
  release text,
  dist text,
  -- assembling, ok, error
  state text not null,
  -- Why it failed; of one that is ok, the problems found in it.
  problems text not null default '[]',
  -- Sha1s of the parts of an archive that is not ok yet, in order.
  chunks text not null default '[]',
  file_count integer not null default 0,
  bytes bigint not null default 0,
  uploaded_at bigint not null,
  -- When a frame was last found in it, to the day.
  used_at bigint not null
);
create unique index artifact_bundles_once
  on artifact_bundles (project_id, origin, checksum, coalesce(release, ''), coalesce(dist, ''));
create index artifact_bundles_to_assemble on artifact_bundles (id) where state = 'assembling';
create index artifact_bundles_by_release on artifact_bundles (project_id, release);

create table artifacts (
  id integer primary key,
  bundle_id integer not null references artifact_bundles (id) on delete cascade,
  project_id integer not null,
  -- minified_source, source_map, source
  kind text not null,
  url text not null,
  debug_id text,
  sha1 text not null references artifact_files (sha1),
  -- Where the script says its map is, relative to its url.
  source_map_reference text
);
create index artifacts_by_bundle on artifacts (bundle_id, url);
create index artifacts_by_debug_id on artifacts (project_id, debug_id) where debug_id is not null;
create index artifacts_by_file on artifacts (sha1);

-- Parts of archives that wait to be assembled.
create table artifact_chunks (
  sha1 text not null primary key,
  blob_key text not null,
  bytes bigint not null,
  -- When it came, or a client last asked whether it is here.
  used_at bigint not null
);

-- Blobs that no row above names: not yet, or not any more. Keys are never used again.
create table unnamed_artifact_blobs (
  blob_key text not null primary key,
  since bigint not null
);

create table upload_generations (
  project_id integer primary key references projects (id) on delete cascade,
  generation bigint not null
);
