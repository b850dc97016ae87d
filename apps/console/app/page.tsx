import { redirect } from 'next/navigation'

/** The console begins at the issue stream. */
export default function Home() {
  redirect('/issues')
}
