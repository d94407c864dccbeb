import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { type JobParams, staffUrls, subjectsUrl } from '#client/staff/kit/routing/staff-urls.ts'
import { subjectDisplayName } from '#client/staff/kit/screen/format.ts'
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
import { SubjectGroups } from './subject-groups.tsx'
import { SubjectImages } from './subject-images.tsx'
import styles from './subjects.module.css'
import { UndoNotice } from './undo-notice.tsx'
import { type SubjectBulkEdits, useSubjectBulkEdits } from './use-subject-bulk-edits.ts'

const SubjectOrders = ({ job, orders }: { job: JobParams } & Pick<StudioSubject, 'orders'>) =>
  orders.length === 0 ? (
    <p className={styles.soft}>No orders yet</p>
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

const VisibilityButton = ({ subject, edits }: { subject: StudioSubject; edits: SubjectBulkEdits }) => {
  const { isHidden } = subject
  const name = subjectDisplayName(subject)
  const toggleVisibility = () =>
    edits.edit({ ids: [subject.id] }, { do: isHidden ? 'show' : 'hide' }, () =>
      isHidden ? `${name} is shown to parents` : `${name} is hidden from parents`,
    )
  return (
    <Button
      variant="secondary"
      icon={isHidden ? Eye : EyeOff}
      loading={edits.busy}
      onClick={() => void toggleVisibility()}
    >
      {isHidden ? 'Show to parents' : 'Hide from parents'}
    </Button>
  )
}

type SubjectSectionsProps = { job: JobParams; subject: StudioSubject; edits: SubjectBulkEdits }

const SubjectSections = ({ job, subject, edits }: SubjectSectionsProps) => {
  const [isDeleting, setDeleting] = useState(false)
  const [, navigate] = useLocation()
  return (
    <div className={styles.subjectPage}>
      <div className={styles.section}>
        <section className={styles.section} aria-labelledby="images">
          <h2 id="images">Images</h2>
          <SubjectImages job={job} subject={subject} />
          <p>
            <Link href={`${staffUrls.job(job, 'images')}?subjectId=${subject.id}`}>Manage images</Link>
          </p>
        </section>
      </div>
      <div className={styles.section}>
        <section className={styles.section} aria-labelledby="details">
          <h2 id="details">Details</h2>
          <SubjectForm job={job} subject={subject} />
        </section>
        <section className={styles.section} aria-labelledby="groups">
          <h2 id="groups">Groups</h2>
          <SubjectGroups job={job} subject={subject} edits={edits} />
        </section>
        <section className={styles.section} aria-labelledby="code">
          <h2 id="code">Code</h2>
          <SubjectCode subject={subject} edits={edits} />
        </section>
        <section className={styles.section} aria-labelledby="orders">
          <h2 id="orders">Orders</h2>
          <SubjectOrders job={job} orders={subject.orders} />
        </section>
        <section className={styles.danger} aria-labelledby="delete-data">
          <h2 id="delete-data">Delete this family’s data</h2>
          <p className={styles.soft}>When a family asks for it. You can’t undo this; orders keep what was paid.</p>
          <Button variant="danger" onClick={() => setDeleting(true)}>
            Delete data
          </Button>
        </section>
      </div>
      {isDeleting && (
        <DeleteDataDialog
          job={job}
          subjects={[subject]}
          onClose={() => setDeleting(false)}
          onDeleted={() => navigate(subjectsUrl(job), { replace: true })}
        />
      )}
    </div>
  )
}

/** A subject with its images, details, groups, code and orders. The data can be deleted if the family asks for it. */
export const SubjectScreen = ({ subjectId, ...job }: JobParams & { subjectId: number }) => {
  const { studioId, jobId } = job
  const query = useStaffQuery(getStudioSubject, { params: { studioId, jobId, subjectId } })
  const edits = useSubjectBulkEdits(job)
  const { data } = query
  return (
    <StaffScreen
      title={data ? subjectDisplayName(data) : 'Subject'}
      trail={[{ label: 'Subjects', href: subjectsUrl(job) }]}
      actions={data && <VisibilityButton subject={data} edits={edits} />}
    >
      <UndoNotice edits={edits} />
      <QueryBoundary query={query}>
        {(subject) => (
          <>
            {subject.isHidden && <Notice tone="attention">Hidden from parents, and their code doesn’t work.</Notice>}
            <SubjectSections job={job} subject={subject} edits={edits} />
          </>
        )}
      </QueryBoundary>
    </StaffScreen>
  )
}
