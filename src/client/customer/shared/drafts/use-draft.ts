import { useEffect } from 'react'
import { deleteDraft, saveDraft } from '#local/store/device-entries.ts'
import { database } from '#platform/database.ts'
import { flushBeforeUnload } from '#platform/flush-on-unload.ts'
import { toastError } from '#ui/toast/toast.ts'

/** The next task, so that the tap that caused the change renders first. */
const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** Writes one draft as fast as the device allows, skipping superseded values. */
const createWriter = (key: string) => {
  let pending: { value: unknown } | null = null
  let currentWrite: Promise<void> | undefined
  const write = async () => {
    await nextTask()
    while (pending) {
      const { value } = pending
      pending = null
      const failure = await saveDraft(database, key, value)
      if (failure) toastError([failure.message])
    }
    currentWrite = undefined
  }
  return {
    save: (value: unknown): void => {
      pending = { value }
      currentWrite ??= write()
    },
    settled: () => currentWrite,
    drop: async (): Promise<void> => {
      pending = null
      await currentWrite
      const failure = await deleteDraft(database, key)
      if (failure) toastError([failure.message])
    },
  }
}

const writers = new Map<string, ReturnType<typeof createWriter>>()

/** One writer per draft: a reopened form reads what the previous one is still writing. */
const writerOf = (key: string) => {
  const writer = writers.get(key) ?? createWriter(key)
  writers.set(key, writer)
  return writer
}

/** Resolves once the last saved value of this draft is stored. */
export const waitForDraft = async (key: string): Promise<void> => writers.get(key)?.settled()

/** A form's draft: `save` at each change, `drop` once submitted. */
export const useDraft = (key: string) => {
  const writer = writerOf(key)
  useEffect(() => flushBeforeUnload(writer.settled), [writer])
  return writer
}
