import ArrowRight from 'lucide-react/icons/arrow-right'
import Check from 'lucide-react/icons/check'
import { useMemo } from 'react'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { formatCount, subjectDisplayName } from '#client/staff/kit/screen/format.ts'
import { useShortcuts } from '#client/staff/kit/screen/use-shortcuts.ts'
import {
  chooseYearBookImage,
  getNextYearBookSubject,
  getYearBook,
  getYearBookSubject,
  type YearBookSubject,
} from '#contract/studio/portraits/year-book.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Icon } from '#ui/icon.tsx'
import { useEventCallback } from '#ui/rendering/use-event-callback.ts'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import { useYearBookUrl } from './use-year-book-url.ts'
import styles from './year-book.module.css'

type ChooserProps = { job: JobParams; subjectId: number }

/** Images that have a key: 1 to 9. */
const maxNumberedImages = 9

type ImageChoicesProps = { subject: YearBookSubject; onChoose: (imageId: number | null) => void }

const ImageChoices = ({ subject: { images, chosenImageId }, onChoose }: ImageChoicesProps) => (
  <ul className={styles.choices} aria-label="Images">
    {images.map(({ id, fileName, previewUrl }, index) => (
      <li key={id}>
        <button
          type="button"
          className={styles.choice}
          aria-pressed={id === chosenImageId}
          onClick={() => onChoose(id)}
        >
          <span className={styles.image}>
            <img src={previewUrl} alt="" />
            {id === chosenImageId && (
              <span className={styles.check}>
                <Icon of={Check} />
              </span>
            )}
          </span>
          <span className={styles.caption}>
            {index < maxNumberedImages && <kbd>{index + 1}</kbd>} {fileName}
          </span>
        </button>
      </li>
    ))}
  </ul>
)

type ChoiceProgressProps = { studioId: number; jobId: number; groupId: number | null }

/** How many of the choices are made, of the group if the list is limited to one. */
const ChoiceProgress = ({ groupId, ...params }: ChoiceProgressProps) => {
  const { data } = useStaffQuery(getYearBook, { params })
  if (!data) return null
  const { counts } = data.groups.find(({ id }) => id === groupId) ?? data
  const { chosen, missing } = counts
  return (
    <p className={styles.progress}>
      {formatCount(chosen)} of {formatCount(chosen + missing)}
      <VisuallyHidden> chosen</VisuallyHidden>
    </p>
  )
}

/** Chooses the image of one subject by keys or clicks, and moves to the next subject whose image is missing. */
export const YearBookChooser = ({ job: { studioId, jobId }, subjectId }: ChooserProps) => {
  const { groupId, open } = useYearBookUrl()
  const params = { studioId, jobId }
  const query = useStaffQuery(getYearBookSubject, { params: { ...params, subjectId } })
  // Loaded ahead, so that the next subject appears at once.
  const next = useStaffQuery(getNextYearBookSubject, {
    params,
    query: { after: subjectId, ...(groupId !== null && { groupId }) },
  })
  const choose = useStaffMutation(chooseYearBookImage)
  const nextSubject = next.isPlaceholder ? undefined : next.data?.subject
  const chooseImage = useEventCallback((imageId: number | null) => {
    void choose.mutate({ params: { ...params, subjectId }, body: { imageId } })
  })
  const chooseNumber = useEventCallback((number: number) => {
    const image = query.data?.images[number - 1]
    if (image) chooseImage(image.id)
  })
  const openNext = useEventCallback(() => {
    if (nextSubject) open(nextSubject.id)
  })
  const openList = useEventCallback(() => open(null))
  const shortcuts = useMemo(
    () => [
      ...Array.from({ length: maxNumberedImages }, (_, index) => ({
        key: String(index + 1),
        description: `Choose image ${index + 1}`,
        run: () => chooseNumber(index + 1),
      })),
      { key: 'n', description: 'Next person with a missing choice', run: openNext },
      { key: 'Escape', description: 'Back to the list', run: openList },
    ],
    [chooseNumber, openNext, openList],
  )
  useShortcuts(shortcuts)
  return (
    <section className={styles.chooser} aria-label="Choose an image">
      <QueryBoundary query={query}>
        {(subject) => (
          <>
            <div className={styles.head} role="status">
              <h2>{subjectDisplayName(subject)}</h2>
              <span className={styles.soft}>{subject.groups.join(', ')}</span>
            </div>
            {subject.images.length === 0 ? (
              <EmptyState title="No images yet">
                <p>Upload images of this person first.</p>
              </EmptyState>
            ) : (
              <ImageChoices subject={subject} onChoose={chooseImage} />
            )}
          </>
        )}
      </QueryBoundary>
      <div className={styles.actions}>
        <Button variant="quiet" onClick={openList}>
          Back to the list
        </Button>
        {query.data?.choice === 'chosen' && (
          <Button variant="quiet" loading={choose.busy} onClick={() => chooseImage(null)}>
            Remove the choice
          </Button>
        )}
      </div>
      <div className={styles.nextBar}>
        <ChoiceProgress {...params} groupId={groupId} />
        {nextSubject === null ? (
          <p className={styles.soft}>No other choice is missing.</p>
        ) : (
          <Button icon={ArrowRight} iconSide="right" loading={!nextSubject} onClick={openNext}>
            <span>
              Next missing<span className={styles.key}> (N)</span>
            </span>
          </Button>
        )}
      </div>
    </section>
  )
}
