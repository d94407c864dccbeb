import X from 'lucide-react/icons/x'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { type JobParams, subjectUrl } from '#client/staff/kit/routing/staff-urls.ts'
import { subjectDisplayName } from '#client/staff/kit/screen/format.ts'
import { getStudioSubject, type StudioSubject } from '#contract/studio/subjects.ts'
import { Button, ButtonLink, IconButton } from '#ui/button/button.tsx'
import styles from './subjects.module.css'
import type { SubjectBulkEdits } from './use-subject-bulk-edits.ts'

const detailRows = ({ reference, code, groups, fields, images, orders }: StudioSubject): [string, string][] => [
  ...(reference ? [['Reference', reference] as [string, string]] : []),
  ['Code', code?.code ?? 'None'],
  ['Groups', groups.map(({ name }) => name).join(', ') || 'None'],
  ...fields.map(({ name, value }): [string, string] => [name, value]),
  ['Images', String(images.filter(({ type }) => type === 'hosted-individual').length)],
  ['Orders', String(orders.length)],
]

type SubjectPanelProps = { job: JobParams; subjectId: number; edits: SubjectBulkEdits; onClose: () => void }

/** Side panel of a subject: details, a button to hide it from parents, and a link to its page. */
export const SubjectPanel = ({ job, subjectId, edits, onClose }: SubjectPanelProps) => {
  const { studioId, jobId } = job
  const query = useStaffQuery(getStudioSubject, { params: { studioId, jobId, subjectId } })
  const toggleVisibility = (subject: StudioSubject) =>
    edits.edit({ ids: [subjectId] }, { do: subject.isHidden ? 'show' : 'hide' }, () =>
      subject.isHidden
        ? `${subjectDisplayName(subject)} is shown to parents`
        : `${subjectDisplayName(subject)} is hidden from parents`,
    )
  return (
    <aside className={styles.sidePanel} aria-label="Open person">
      <div className={styles.sidePanelHead}>
        <h2>{query.data ? subjectDisplayName(query.data) : 'Person'}</h2>
        <IconButton icon={X} label="Close" onClick={onClose} />
      </div>
      <QueryBoundary query={query}>
        {(subject) => (
          <>
            {subject.imageThumbnailUrl && (
              <img className={styles.large} src={subject.imageThumbnailUrl} alt={subjectDisplayName(subject)} />
            )}
            <dl className={styles.facts}>
              {detailRows(subject).map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <div className={styles.buttons}>
              <ButtonLink size="sm" href={subjectUrl(job, subjectId)}>
                Open the whole page
              </ButtonLink>
              <Button variant="secondary" size="sm" loading={edits.busy} onClick={() => void toggleVisibility(subject)}>
                {subject.isHidden ? 'Show' : 'Hide'}
              </Button>
            </div>
          </>
        )}
      </QueryBoundary>
    </aside>
  )
}
