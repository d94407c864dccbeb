import { useEffect, useMemo } from 'react'
import { dropDraft, saveDraft } from '../../local/drafts.ts'
import { keepBeforeLeaving } from '../device/leaving.ts'
import { local } from '../device/local.ts'
import { toastError } from '../ui/toast.ts'

/** The tap that changed it shows first: the next task of the page. */
const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** Writes one draft as fast as the device can, skipping what a newer one has overtaken. */
const createWriter = (key: string) => {
  let waiting: { value: unknown } | null = null
  let writing: Promise<void> | undefined
  const write = async () => {
    await nextTask()
    while (waiting) {
      const { value } = waiting
      waiting = null
      const failed = await saveDraft(local, key, value)
      if (failed) toastError([failed.sentence])
    }
    writing = undefined
  }
  return {
    save: (value: unknown): void => {
      waiting = { value }
      writing ??= write()
    },
    settled: () => writing,
    drop: async (): Promise<void> => {
      waiting = null
      await writing
      await dropDraft(local, key)
    },
  }
}

/** A form's draft: `save` at each change, `drop` when it has served. */
export const useDraft = (key: string) => {
  const writer = useMemo(() => createWriter(key), [key])
  useEffect(() => keepBeforeLeaving(writer.settled), [writer])
  return writer
}
