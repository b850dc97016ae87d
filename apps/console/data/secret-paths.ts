/** Matches tokens of share links in addresses of pages, of their data and of the API. */
export const secretPaths: readonly RegExp[] = [
  /(?<=\/(?:share|embed)\/(?:issue|replay)\/)[^/?#]+/g,
  /(?<=\/api\/0\/shared\/(?:issues|replays)\/)[^/?#]+/g,
]
