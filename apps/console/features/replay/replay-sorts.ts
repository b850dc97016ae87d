/** Orders the list can be in, the default first. */
export const replaySorts: readonly { readonly id: string | null; readonly label: string }[] = [
  { id: null, label: 'Newest' },
  { id: '-count_errors', label: 'Errors' },
  { id: '-duration', label: 'Longest' },
  { id: '-activity', label: 'Most active' },
]
