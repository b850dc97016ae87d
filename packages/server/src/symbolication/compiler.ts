import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import type { CompileAnswer, CompileTask } from './compile.worker.ts'
import { compileMsMax, compilerHeapMb, compilerIdleMs, waitingMax } from './limits.ts'

/** The thread in which maps are compiled, one after the other. It ends when it has nothing to do. */
export class Compiler {
  readonly #pool: Piscina<CompileTask, CompileAnswer>

  constructor() {
    this.#pool = new Piscina({
      filename: fileURLToPath(new URL('./compile.worker.ts', import.meta.url)),
      minThreads: 0,
      maxThreads: 1,
      maxQueue: waitingMax,
      idleTimeout: compilerIdleMs,
      resourceLimits: { maxOldGenerationSizeMb: compilerHeapMb, stackSizeMb: 16 },
    })
    // Callers hear of their own failure; a thread that dies idle tells nobody.
    this.#pool.on('error', () => {})
  }

  get isFull(): boolean {
    return this.#pool.queueSize >= waitingMax
  }

  /**
   * Compiles a map into the file of its task. A map that needs too much time or memory is unusable.
   * @throws what the file system throws, and what a thread that cannot start throws
   */
  async compile(task: CompileTask): Promise<CompileAnswer> {
    const signal = AbortSignal.timeout(compileMsMax)
    try {
      return await this.#pool.run(task, { signal, transferList: buffersOf(task) })
    } catch (error) {
      if (signal.aborted) return { unusable: `It was not compiled within ${compileMsMax} ms.` }
      if (codeOf(error) !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
      return { unusable: `Compiling it takes more than ${compilerHeapMb} MB of memory.` }
    }
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}

/** Buffers of their own are handed over; a part of a larger one is copied. */
function buffersOf({ map, script }: CompileTask): ArrayBuffer[] {
  return [map, script]
    .filter((bytes) => bytes !== null && bytes.byteLength === bytes.buffer.byteLength)
    .map((bytes) => bytes!.buffer as ArrayBuffer)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
