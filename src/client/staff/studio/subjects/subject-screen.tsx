import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { getStudioSubject, type StudioSubject } from '#contract/studio/subjects.ts'
import { orderStateNames } from '#domain/orders/order-states.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Price } from '#ui/price.tsx'
import { DeleteDataDialog } from './delete-data-dialog.tsx'
import { SubjectCode } from './subject-code.tsx'
import { SubjectForm } from './subject-form.tsx'
import { subjectDisplayName } from './subject-format.ts'
import { SubjectGroups } from './subject-groups.tsx'
import { SubjectImages } from './subject-images.tsx'
import { subjectsUrl } from './subject-urls.ts'
import styles from './subjects.module.css'
import { UndoNotice } from './undo-notice.tsx'
import { type SubjectBulkEdits, useSubjectBulkEdits } from './use-subject-bulk-edits.ts'

const Orders = ({ job, orders }: { job: JobParams } & Pick<StudioSubject, 'orders'>) =>
  orders.length === 0 ? (
    <p className={styles.soft}>Nothing was ordered of them yet</p>
  ) : (
    <ul className={styles.orders}>
      {orders.map(({ orderNumber, customerName, state, placedAt, totalCents }) => (
        <li key={orderNumber}>
          <span>
            <Link href={staffUrls.job(job, `orders/order/${orderNumber}`)} className="tabular">
              {orderNumber}
            </Link>{' '}
            · {customerName}
          </span>
          <span className={styles.soft}>
            {orderStateNames[state]} · {formatDate(placedAt)}
          </span>
          <Price cents={totalCents} />
        </li>
      ))}
    </ul>
  )

const HideButton = ({ subject, edits }: { subject: StudioSubject; edits: SubjectBulkEdits }) => {
  const { isHidden } = subject
  const name = subjectDisplayName(subject)
  const toggle = () =>
    edits.edit({ ids: [subject.id] }, { do: isHidden ? 'show' : 'hide' }, () =>
      isHidden ? `${name} is shown to parents` : `${name} is hidden from parents`,
    )
  return (
    <Button variant="secondary" icon={isHidden ? Eye : EyeOff} loading={edits.busy} onClick={() => void toggle()}>
      {isHidden ? 'Show to parents' : 'Hide from parents'}
    </Button>
  )
}

type SubjectSectionsProps = { job: JobParams; subject: StudioSubject; edits: SubjectBulkEdits }

const SubjectSections = ({ job, subject, edits }: SubjectSectionsProps) => {
  const [isErasing, setErasing] = useState(false)
  const [, navigate] = useLocation()
  return (
    <div className={styles.page}>
      <div className={styles.part}>
        <section className={styles.part} aria-labelledby="images">
          <h2 id="images">Images</h2>
          <SubjectImages job={job} subject={subject} />
          <p>
            <Link href={`${staffUrls.job(job, 'images')}?subjectId=${subject.id}`}>Upload and put images right</Link>
          </p>
        </section>
      </div>
      <div className={styles.part}>
        <section className={styles.part} aria-labelledby="known">
          <h2 id="known">What is known</h2>
          <SubjectForm job={job} subject={subject} />
        </section>
        <section className={styles.part} aria-labelledby="groups">
          <h2 id="groups">Groups</h2>
          <SubjectGroups job={job} subject={subject} edits={edits} />
        </section>
        <section className={styles.part} aria-labelledby="code">
          <h2 id="code">Code</h2>
          <SubjectCode subject={subject} edits={edits} />
        </section>
        <section className={styles.part} aria-labelledby="orders">
          <h2 id="orders">Orders</h2>
          <Orders job={job} orders={subject.orders} />
        </section>
        <section className={styles.danger} aria-labelledby="erase">
          <h2 id="erase">Delete this family's data</h2>
          <p className={styles.soft}>Where a family asks for it. It cannot be undone; orders keep what was paid.</p>
          <Button variant="danger" onClick={() => setErasing(true)}>
            Delete data
          </Button>
        </section>
      </div>
      {isErasing && (
        <DeleteDataDialog
          job={job}
          subjects={[subject]}
          onClose={() => setErasing(false)}
          onErased={() => navigate(subjectsUrl(job), { replace: true })}
        />
      )}
    </div>
  )
}

/** One subject: images, fields, groups, code, orders, and data requests of the family. */
export const SubjectScreen = ({ subjectId, ...job }: JobParams & { subjectId: number }) => {
  const { studioId, jobId } = job
  const query = useStaffQuery(getStudioSubject, { params: { studioId, jobId, subjectId } })
  const edits = useSubjectBulkEdits(job)
  const { data } = query
  return (
    <StaffScreen
      title={data ? subjectDisplayName(data) : 'Subject'}
      trail={[{ label: 'Subjects', href: subjectsUrl(job) }]}
      actions={data && <HideButton subject={data} edits={edits} />}
    >
      <UndoNotice edits={edits} />
      <QueryBoundary query={query}>
        {(subject) => (
          <>
            {subject.isHidden && (
              <Notice tone="attention">No parent sees them at the moment, and their code opens nothing.</Notice>
            )}
            <SubjectSections job={job} subject={subject} edits={edits} />
          </>
        )}
      </QueryBoundary>
    </StaffScreen>
  )
}
