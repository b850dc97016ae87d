-- The checksum by which other tools compare attachments.
alter table attachments add column sha1 text;
