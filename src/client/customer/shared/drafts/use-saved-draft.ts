import { useEffect, useState } from 'react'
import { readDraft } from '#local/store/drafts.ts'
import { local } from '#platform/database.ts'
import { draftWritten } from './use-draft.ts'

/** A draft as it was when the screen opened; null until it has been read. */
export const useKept = (key: string): { value: unknown } | null => {
  const [kept, setKept] = useState<{ key: string; value: unknown } | null>(null)
  useEffect(() => {
    let left = false
    const read = async () => {
      await draftWritten(key)
      const value = await readDraft(local, key).catch(() => undefined)
      if (!left) setKept({ key, value })
    }
    void read()
    return () => {
      left = true
    }
  }, [key])
  return kept?.key === key ? kept : null
}
