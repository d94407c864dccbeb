import { useEffect, useState } from 'react'
import { readDraft } from '#local/store/drafts.ts'
import { database } from '#platform/database.ts'
import { waitForDraft } from './use-draft.ts'

/** A draft as it was when the screen opened; null until it has been read. */
export const useSavedDraft = (key: string): { value: unknown } | null => {
  const [draft, setDraft] = useState<{ key: string; value: unknown } | null>(null)
  useEffect(() => {
    let left = false
    const read = async () => {
      await waitForDraft(key)
      const value = await readDraft(database, key).catch(() => undefined)
      if (!left) setDraft({ key, value })
    }
    void read()
    return () => {
      left = true
    }
  }, [key])
  return draft?.key === key ? draft : null
}
