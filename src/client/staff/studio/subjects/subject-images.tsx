import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { patchSubject, type StudioSubject, type SubjectImage } from '#contract/studio/subjects.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import styles from './subjects.module.css'

const kindLabel = ({ type, groupName }: SubjectImage): string => {
  if (type === 'hosted-group') return groupName ?? 'Group'
  return type === 'replacement' ? 'Replacement' : 'Own image'
}

const missingImageMessage = ({ state, refusal }: SubjectImage): string =>
  state === 'refused' ? (refusal ?? 'This image could not be read') : 'This image is processing'

type SubjectImagesProps = { job: { studioId: number; jobId: number }; subject: StudioSubject }

/** All images of a subject as large previews, with a button to set the main image. */
export const SubjectImages = ({ job: { studioId, jobId }, subject }: SubjectImagesProps) => {
  const patch = useStaffMutation(patchSubject)
  const setMainImage = (primaryImageId: number) =>
    patch.mutate({
      params: { studioId, jobId, subjectId: subject.id },
      body: { version: subject.version, primaryImageId },
    })
  if (subject.images.length === 0) {
    return (
      <EmptyState title="No images yet">
        <p>Their images appear here once they are matched by code, file name or camera order.</p>
      </EmptyState>
    )
  }
  return (
    <ul className={styles.images}>
      {subject.images.map((image) => (
        <li key={image.id}>
          <figure className={styles.image}>
            {image.previewUrl ? (
              <img
                src={image.previewUrl}
                alt={image.name}
                width={image.width ?? undefined}
                height={image.height ?? undefined}
                loading="lazy"
              />
            ) : (
              <p className={styles.missingImage}>{missingImageMessage(image)}</p>
            )}
            <figcaption className={styles.caption}>
              <span>
                {image.name} · {kindLabel(image)}
                {image.isPublished ? '' : ' · not published'}
              </span>
              {image.type === 'hosted-individual' &&
                (image.isPrimary ? (
                  <strong>Main image</strong>
                ) : (
                  <Button variant="quiet" size="sm" loading={patch.busy} onClick={() => void setMainImage(image.id)}>
                    Set as main image
                  </Button>
                ))}
            </figcaption>
          </figure>
        </li>
      ))}
    </ul>
  )
}
