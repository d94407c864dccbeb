import type { LocalDatabase } from './database.ts'

/** The number of sessions this device has had, to recognise responses to an earlier session. */
export const sessionCount = async (db: LocalDatabase): Promise<number> => {
  const fact = await db.device.get('session')
  return fact?.key === 'session' ? fact.value : 0
}

export const incrementSessionCount = async (db: LocalDatabase): Promise<void> => {
  await db.device.put({ key: 'session', value: (await sessionCount(db)) + 1 })
}
