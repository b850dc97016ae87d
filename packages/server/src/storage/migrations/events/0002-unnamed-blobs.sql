-- Blobs that no row names: their row is gone, or was never written. Kept until they are deleted.
create table unnamed_blobs (blob_key text primary key) without rowid;
