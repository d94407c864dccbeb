import { useChange } from '#client/staff/kit/query/use-staff-mutation.ts'
import { patchSubject, type StudioSubject, type SubjectImage } from '#contract/studio/subjects.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import styles from './subjects.module.css'

const kindWords = ({ type, groupName }: SubjectImage): string => {
  if (type === 'hosted-group') return groupName ?? 'Group'
  return type === 'replacement' ? 'Replacement' : 'Own image'
}

const whyNothing = ({ state, refusal }: SubjectImage): string =>
  state === 'refused' ? (refusal ?? 'This image could not be read') : 'This image is being made ready'

type PhotosProps = { job: { studioId: number; jobId: number }; subject: StudioSubject }

/** All pictures of a person, large, and which of them stands for them. */
export const SubjectPhotos = ({ job: { studioId, jobId }, subject }: PhotosProps) => {
  const patch = useChange(patchSubject)
  const choose = (primaryImageId: number) =>
    patch.make({
      params: { studioId, jobId, subjectId: subject.id },
      body: { version: subject.version, primaryImageId },
    })
  if (subject.images.length === 0) {
    return (
      <EmptyState title="No images yet">
        <p>Their images stand here as soon as they are matched by code, file name or order of shooting.</p>
      </EmptyState>
    )
  }
  return (
    <ul className={styles.photos}>
      {subject.images.map((image) => (
        <li key={image.id}>
          <figure className={styles.photo}>
            {image.previewUrl ? (
              <img
                src={image.previewUrl}
                alt={image.name}
                width={image.width ?? undefined}
                height={image.height ?? undefined}
                loading="lazy"
              />
            ) : (
              <p className={styles.waiting}>{whyNothing(image)}</p>
            )}
            <figcaption className={styles.caption}>
              <span>
                {image.name} · {kindWords(image)}
                {image.isPublished ? '' : ' · not published'}
              </span>
              {image.type === 'hosted-individual' &&
                (image.isPrimary ? (
                  <strong>Main image</strong>
                ) : (
                  <Button variant="quiet" size="sm" loading={patch.busy} onClick={() => void choose(image.id)}>
                    Make it the main one
                  </Button>
                ))}
            </figcaption>
          </figure>
        </li>
      ))}
    </ul>
  )
}
