-- Identities are kept from when they were applied: what waited in the queue was received long before.
drop table item_identities;
create table item_identities (
  project_id integer not null,
  identity text not null,
  -- Of the first maintenance after it was applied; null until then.
  noted_at real,
  primary key (project_id, identity)
) without rowid;
create index item_identities_noted on item_identities (noted_at);
