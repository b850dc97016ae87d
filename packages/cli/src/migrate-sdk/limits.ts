/** Files that one run reads; larger trees are given folder by folder. */
export const filesMax = 20_000
/** Entries of folders that one run looks at, whatever they are. */
export const entriesMax = 500_000
/** Size of a file that is read. Sources written by people are smaller. */
export const fileBytesMax = 1_048_576
