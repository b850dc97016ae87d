const MIB = 1024 * 1024

/** One file of an upload, uncompressed: the largest maps of browsers' applications are a tenth. */
export const ARTIFACT_BYTES_MAX = 256 * MIB
