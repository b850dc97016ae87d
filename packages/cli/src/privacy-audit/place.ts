/** One spot of a page where a secret can hide, with the canary that sits there. */
export interface Place extends Hiding {
  readonly name: string
  /** Unique in the page; recognised in any case of letters. */
  readonly canary: string
  /** The element's id, where the place is one. */
  readonly id: string
}

/** The steps that put a canary into its place; missing ones are not taken. */
export interface Hiding {
  /** Part of the document, from its beginning or added later. */
  readonly markup?: string
  /** Text typed, chosen or picked in the element of the markup. */
  readonly fill?: string
  /** Typed key by key. */
  readonly type?: string
  readonly choose?: string
  readonly file?: string
  /** The element is clicked. */
  readonly isClicked?: boolean
  /** Runs in the page when everything is there; may await. */
  readonly script?: string
  /** Runs before the page's own scripts. */
  readonly early?: string
  /**
   * The reason for which the canary may be sent: the page itself hands it over. Reported, and not a
   * failure.
   */
  readonly told?: string
}

/** Places by name; markup alone may be given as a text. */
export type Places = Readonly<Record<string, (canary: string, id: string) => Hiding | string>>

/** Requests of the places themselves go there, and are answered by the audit. */
export const plantedPath = '/afterimage-audit'

/**
 * Places whose content has a form of its own, so that no word fits. Card numbers are given by their
 * beginning.
 */
const shaped: Readonly<Record<string, string>> = {
  'typed number': '731004209171',
  'typed range': '731004209',
  'typed tel': '+49 731 0042 0918',
  'typed date': '2917-04-13',
  'typed month': '2916-08',
  'typed week': '2915-W33',
  'typed time': '03:17:41.937',
  'typed date and time': '2914-03-02T04:05:06.789',
  'typed colour': '#c4a742',
  'typed card number': '4929 1310 0420 9171',
  'meter and its number': '731004209.25',
  'least and greatest number': '731004208',
  'expiry of a card': '08/2931',
  'one-time code': '731004207',
}

/** Gives every place its canary: the same in every run, so that pages can be seeded anywhere. */
export function withCanaries(all: Places): Place[] {
  return Object.entries(all).map(([name, hide], index) => {
    const number = String(index).padStart(3, '0')
    const isCard = name.startsWith('card number')
    const canary = shaped[name] ?? (isCard ? `4929${number}31` : `canary${number}z`)
    const id = `place-${index}`
    const hiding = hide(canary, id)
    return { name, canary, id, ...(typeof hiding === 'string' ? { markup: hiding } : hiding) }
  })
}
