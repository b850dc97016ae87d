/** Limits of uploads: what a client is asked to keep to, and what is refused. */

const KIB = 1024
const MIB = 1024 * KIB

/**
 * Parts in which clients send archives; a power of two, which old clients need. A request holds two,
 * and comes whole within half a minute over a line of 1 Mbit/s.
 */
export const CHUNK_BYTES = 2 * MIB
export const REQUEST_BYTES = 4 * MIB
export const CHUNKS_PER_REQUEST = 64
export const REQUESTS_AT_ONCE = 4

/** Clients with a size of their own send 8 MiB, as Sentry asks for. */
export const CHUNK_BYTES_MAX = 8 * MIB
/** Body of an upload: parts, or one file of a release. */
export const UPLOAD_BODY_BYTES_MAX = 16 * MIB

/** An archive as it is sent: that of a large application has 300 MiB. */
export const ARCHIVE_BYTES_MAX = 1024 * MIB
export const ARCHIVE_CHUNKS_MAX = 4096
/** Parts that wait for the rest of their archives, of all clients together. */
export const WAITING_BYTES_MAX = 4 * ARCHIVE_BYTES_MAX

/** Files of one upload. */
export const ARCHIVE_FILES_MAX = 20_000
/** One file, uncompressed: the largest maps of applications have a third. It is read whole. */
export const ARTIFACT_BYTES_MAX = 128 * MIB
/** All files of an archive, uncompressed. */
export const EXPANDED_BYTES_MAX = 4 * ARCHIVE_BYTES_MAX
/** A file may become this many times as large as it is in the archive; maps stay under 20. */
export const EXPANSION_MAX = 200
/** Up to this size the expansion is not looked at. */
export const EXPANSION_FREE_BYTES = 4 * MIB
export const MANIFEST_BYTES_MAX = 16 * MIB
export const URL_CHARACTERS_MAX = 2048

/** Problems told of one upload; a systematic fault repeats itself. */
export const PROBLEMS_MAX = 20

/** Files of the watched folder: each is remembered, and looked at in each walk. */
export const WATCHED_FILES_MAX = 20_000
/** A file that changed so recently may still be written. */
export const SETTLED_MS = 1_000
/** The folder is walked as soon as it tells of a change, and this often without. */
export const WALK_EVERY_MS = 60_000

/** Uploads of a project: fifty a day for ninety days are half. */
export const BUNDLES_PER_PROJECT_MAX = 10_000

/** Parts, files and blobs that nothing names are kept this long: an upload may be about to. */
export const UNUSED_MS = 3_600_000
