import { setTimeout as delay } from 'node:timers/promises'

const notes = [
  ['Ida Brandt', 'Fired the second kiln of the month. Two jugs leaned; they were given away.'],
  [
    'Werk Nord',
    'The enamel is now mixed by the person who sprays it, which ended a long argument.',
  ],
  ['Atelier Sol', 'Bent forty lamp arms before lunch and one finger after it.'],
  ['Holm & Son', 'The elm came down in the storm of March and has been drying since.'],
] as const

/** Answers a maker's note. Slow: the makers are asked by letter. */
export async function GET(
  _: Request,
  { params }: { readonly params: Promise<{ batch: string }> },
): Promise<Response> {
  const { batch } = await params
  await delay(700)
  const [maker, note] = notes[Number(batch)] ?? ['Nobody', 'Nothing.']
  return Response.json({ maker, note })
}
