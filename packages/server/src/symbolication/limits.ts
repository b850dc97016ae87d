/** Limits of symbolication. Uploads come from builds that anyone with a token may run. */

/** A map, as JSON text. Those of large applications have 20 MB; a string of V8 ends at 512 MB. */
export const mapBytesMax = 64 * 1024 * 1024
/** A script whose scopes are read: its syntax tree takes some fifty times its size. */
export const scopedScriptBytesMax = 8 * 1024 * 1024
/** Mappings of all sections: each takes 90 bytes of the thread while it is decoded. */
export const mappingsMax = 4_000_000
/** Lines of the script, which an attacker writes as one byte each. */
export const scriptLinesMax = 2_000_000
export const sourcesMax = 100_000
export const namesMax = 2_000_000
export const sectionsMax = 10_000
/** Sections inside of sections; bundlers nest one level. */
export const sectionDepthMax = 8
/** The path of a source, and a name; longer ones are cut. */
export const pathCharsMax = 1024
export const nameCharsMax = 256
/** A line of a source; the rest of a longer one is left out. */
export const lineCharsMax = 64 * 1024

/** Memory of the thread that compiles, MB: beyond it the map is refused, and nothing else ends. */
export const compilerHeapMb = 1024
/** Time after which a compilation is given up. */
export const compileMsMax = 60_000
/** Maps that may wait for the thread; frames of others stay as they are. */
export const waitingMax = 64
/** Time for which an event waits for a map that is being compiled. */
export const compileWaitMs = 10_000
/** Time after which the idle thread ends and frees its memory. */
export const compilerIdleMs = 30_000

/** Compiled maps on disk. They are made again from the uploads when needed. */
export const compiledBytesMax = 2 * 1024 * 1024 * 1024
/** Memory for what was read of compiled maps: line indexes, and the blocks read last. */
export const cachedBytesMax = 32 * 1024 * 1024
/** Compiled maps open at one time, each a file descriptor. */
export const openMapsMax = 64
/** Memory for which scripts were found, and which not. */
export const foundScriptsBytesMax = 4 * 1024 * 1024
export const foundScriptMsMax = 3_600_000
/** Scripts of one event whose maps are asked for. */
export const scriptsMax = 50
/** Lines before and after that of a frame. */
export const contextLines = 5
/** Frames of a stack that get these lines, counted from where it was thrown. */
export const framesWithContext = 50
/** Maps that could not be compiled, remembered until the process ends. */
export const refusedMapsMax = 1000
