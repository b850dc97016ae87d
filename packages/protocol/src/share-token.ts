/** Tells whether a text can be the token of a share link: 32 hex digits, lower case, as the server makes them. */
export function isShareToken(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text)
}
