import { useEffect, useRef } from 'react'
import type { PackageEditor } from './use-package-editor.ts'

/** Whether the field path of an error belongs to the items tab. */
export const isItemsPath = (path: string): boolean => path === 'items' || path.startsWith('items.')

const invalidSelector = '[aria-invalid="true"], [data-missing]'

/** After a save that was not sent: moves the focus to the first invalid field, and opens its tab if the open tab has none. */
export const useFocusInvalidField = (
  { invalidSaveCount, fieldErrors }: Pick<PackageEditor, 'invalidSaveCount' | 'fieldErrors'>,
  openTab: (tab: 'items' | 'details') => void,
) => {
  const formRef = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per invalid save, not while the fields are corrected
  useEffect(() => {
    if (invalidSaveCount === 0) return
    if (!formRef.current?.querySelector(invalidSelector))
      openTab(Object.keys(fieldErrors).some((path) => !isItemsPath(path)) ? 'details' : 'items')
    // The fields of the other tab are rendered by the next frame.
    const frame = requestAnimationFrame(() => formRef.current?.querySelector<HTMLElement>(invalidSelector)?.focus())
    return () => cancelAnimationFrame(frame)
  }, [invalidSaveCount])
  return formRef
}
