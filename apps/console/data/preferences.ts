import { cookies } from 'next/headers'

export type Theme = 'light' | 'dark' | 'system'

/** Reads the visitor's choices from cookies, on the server. An unknown value is the default. */
export async function readPreferences(): Promise<{ theme: Theme; timeZone: string }> {
  const jar = await cookies()
  const theme = jar.get('afterimage_theme')?.value
  const timeZone = jar.get('afterimage_time_zone')?.value
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    timeZone: timeZone !== undefined && isTimeZone(timeZone) ? timeZone : 'UTC',
  }
}

function isTimeZone(name: string): boolean {
  if (name.length > 64) return false
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
