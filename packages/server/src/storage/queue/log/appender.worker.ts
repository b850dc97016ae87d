import { parentPort, workerData } from 'node:worker_threads'
import { serveAppender, type AppenderThreadStart } from './appender-thread.ts'

if (parentPort === null) throw new Error('This file is a worker thread.')
serveAppender(parentPort, workerData as AppenderThreadStart)
