import { useEffect, useState } from 'react'
import { array, integer, is } from 'superstruct'
import { useDraft } from '#client/customer/shared/drafts/use-draft.ts'
import { useSavedDraft } from '#client/customer/shared/drafts/use-saved-draft.ts'
import { useEventCallback } from '#ui/rendering/use-event-callback.ts'

/** The ids of a subject's images that the customer marked on this device, and a function that marks or unmarks one. */
export const useFavourites = (jobId: number, subjectId: number) => {
  const key = `favourites:${jobId}:${subjectId}`
  const saved = useSavedDraft(key)
  const { save } = useDraft(key)
  const [favouriteIds, setFavouriteIds] = useState<readonly number[]>([])
  useEffect(() => {
    if (is(saved?.value, array(integer()))) setFavouriteIds(saved.value)
  }, [saved])
  const toggleFavourite = useEventCallback((imageId: number) => {
    // Until the stored ids have been read, saving would overwrite them.
    if (!saved) return
    const otherIds = favouriteIds.filter((id) => id !== imageId)
    const nextIds = otherIds.length < favouriteIds.length ? otherIds : [...favouriteIds, imageId]
    setFavouriteIds(nextIds)
    save(nextIds)
  })
  return { favouriteIds, toggleFavourite }
}
