import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
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
  return { title: answer.isOk ? traceSentence(answer.value) : 'Trace' }
}

/** One trace, drawn as a waterfall. */
export default async function TracePage({ params, searchParams }: Props) {
  const [{ trace: id }, search] = await Promise.all([params, searchParams, requireSession()])
  const answer = await findTrace(id)
  if (!answer.isOk) {
    if (answer.status === 404 || answer.status === 400) notFound()
    return <RefusedState status={answer.status} detail={answer.detail} />
  }
  const { value } = answer
  if (value.span_count === 0 && value.orphan_errors.length === 0) notFound()
  const { span } = search
  return <TraceScreen trace={value} span={typeof span === 'string' ? span : null} />
}
