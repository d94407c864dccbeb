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
  state === 'refused' ? (refusal ?? 'This image could not be read') : 'This image is being made ready'

type SubjectImagesProps = { job: { studioId: number; jobId: number }; subject: StudioSubject }

/** All images of a subject in large, with the choice of the primary one. */
export const SubjectImages = ({ job: { studioId, jobId }, subject }: SubjectImagesProps) => {
  const patch = useStaffMutation(patchSubject)
  const choose = (primaryImageId: number) =>
    patch.mutate({
      params: { studioId, jobId, subjectId: subject.id },
      body: { version: subject.version, primaryImageId },
    })
  if (subject.images.length === 0) {
    return (
      <EmptyState title="No images yet">
        <p>Their images appear here once they are matched by code, file name or order of shooting.</p>
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
              <p className={styles.waiting}>{missingImageMessage(image)}</p>
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
