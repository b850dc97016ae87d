import { workerData } from 'node:worker_threads'
import { AppError, type ErrorCode } from '../../../errors.ts'
import type { AggregateQuery, PageQuery } from '../port.ts'
import type { ReadableTableName } from '../tables.ts'
import { aggregate } from './aggregate.ts'
import { openConnection, storageError, UnwantedAnswer } from './connection.ts'
import { readPage } from './page.ts'

export type Question =
  | { readonly type: 'page'; readonly query: PageQuery<ReadableTableName> }
  | { readonly type: 'aggregate'; readonly query: AggregateQuery }

export interface Task {
  readonly question: Question
  /** Shared with the asking thread: 1 when the answer is no longer wanted. */
  readonly flag: Int32Array
}

/** A failure as it crosses threads: a message between threads keeps only the text of an error. */
export type Answer =
  | { readonly result: unknown }
  | { readonly failure: { readonly code: ErrorCode; readonly message: string } }

const { file } = workerData as { readonly file: string }
const connection = openConnection(file, 'reader')

/** Answers one query, unless its flag is raised before or meanwhile. */
export default function answer({ question, flag }: Task): Answer {
  connection.isWanted = () => Atomics.load(flag, 0) === 0
  try {
    if (!connection.isWanted()) throw new UnwantedAnswer('nobody waits for the answer')
    return { result: connection.read(() => resultOf(question)) }
  } catch (cause) {
    if (cause instanceof UnwantedAnswer) {
      return { failure: { code: 'QUERY_ABANDONED', message: cause.message } }
    }
    const error = storageError(file, cause)
    if (!(error instanceof AppError)) throw error
    return { failure: { code: error.code, message: error.message } }
  }
}

function resultOf(question: Question): unknown {
  return question.type === 'page'
    ? readPage(connection, question.query)
    : aggregate(connection, question.query)
}
