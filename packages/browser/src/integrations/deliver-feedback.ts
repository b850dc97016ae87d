import { getClient } from '@afterimage/sdk-core/api'
import { isTaken } from '@afterimage/sdk-core/transport'
import type { Answer } from '@afterimage/sdk-core/transport'
import { captureFeedback } from '../feedback.ts'
import type { Feedback } from '../feedback.ts'

/** The end of a person's words: those that wait are sent when the network is back. */
export type FeedbackFate = 'sent' | 'waiting' | 'failed'

/** Sends feedback and tells its fate; one that a processor discards has failed. */
export async function deliverFeedback(feedback: Feedback): Promise<FeedbackFate> {
  const client = getClient()
  if (!client) return 'failed'
  const { send } = client
  let sent: Promise<Answer> | undefined
  // Feedback passes no hook that waits: its envelope is handed over before `captureFeedback` returns.
  client.send = (items, ...rest) => {
    const answer = send(items, ...rest)
    if (items[0]?.header.type === 'feedback') sent = answer
    return answer
  }
  try {
    captureFeedback(feedback)
  } finally {
    client.send = send
  }
  const answer = await sent
  if (!answer || !isTaken(answer)) return 'failed'
  return answer.reason === 'parked' ? 'waiting' : 'sent'
}
