import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { ApiTrace } from '@afterimage/protocol/api'
import { mainRead, type Answer } from '../../../../data/answer.ts'
import { requireSession } from '../../../../data/session.ts'
import { findTrace } from '../../../../data/traces.ts'
import { traceSentence } from '../../../../features/trace/trace-facts.ts'
import { TraceScreen } from '../../../../features/trace/trace-screen.tsx'
import { RefusedState } from '../../../../ui/state.tsx'

interface Props {
  readonly params: Promise<{ trace: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const answer = await findTrace((await params).trace)
  if (isMissing(answer)) notFound()
  return { title: answer.isOk ? traceSentence(answer.value) : 'Trace' }
}

/** Draws one trace as a waterfall. */
export default async function TracePage({ params, searchParams }: Props) {
  const [{ trace: id }, search] = await Promise.all([params, searchParams, requireSession()])
  const answer = mainRead(await findTrace(id))
  if (isMissing(answer)) notFound()
  if (!answer.isOk) return <RefusedState status={answer.status} detail={answer.detail} />
  const { span } = search
  return <TraceScreen trace={answer.value} span={typeof span === 'string' ? span : null} />
}

/** Tells whether the trace is unknown, or its id not valid. */
function isMissing(answer: Answer<ApiTrace>): boolean {
  if (!answer.isOk) return answer.status === 404 || answer.status === 400
  return answer.value.span_count === 0 && answer.value.orphan_errors.length === 0
}
