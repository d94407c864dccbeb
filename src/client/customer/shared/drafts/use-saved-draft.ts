import { useEffect, useState } from 'react'
import { readDraft } from '#local/store/drafts.ts'
import { database } from '#platform/database.ts'
import { waitForDraft } from './use-draft.ts'

/** A draft as it was when the screen opened; null until it has been read. */
export const useSavedDraft = (key: string): { value: unknown } | null => {
  const [kept, setKept] = useState<{ key: string; value: unknown } | null>(null)
  useEffect(() => {
    let left = false
    const read = async () => {
      await waitForDraft(key)
      const value = await readDraft(database, key).catch(() => undefined)
      if (!left) setKept({ key, value })
    }
    void read()
    return () => {
      left = true
    }
  }, [key])
  return kept?.key === key ? kept : null
}
