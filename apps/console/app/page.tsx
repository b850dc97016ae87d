import { redirect } from 'next/navigation'

/** Redirects to the issue stream. */
export default function Home() {
  redirect('/issues')
}
