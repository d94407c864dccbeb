import { useLiveQuery } from 'dexie-react-hooks'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { lineName } from '#client/customer/shared/cart/line-texts.ts'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import { getSubject } from '#contract/customer/discovery-calls.ts'
import type { LineView } from '#local/store/cart-view.ts'
import { typedSubjectByNumber } from '#local/store/typed-subjects.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { database } from '#platform/database.ts'
import type { CustomerRoute, SubjectRoute } from '#platform/urls.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { copyPackagesUrl } from './copy-packages-url.ts'
import styles from './copy-to-subject-dialog.module.css'

type CopyToSubjectDialogProps = {
  open: boolean
  onClose: () => void
  route: CustomerRoute
  view: LineView
  /** Add-ons of the same subject, which can be copied too. */
  addOns: readonly LineView[]
  /** The other subjects' ids in URLs. */
  others: readonly number[]
}

/** Selects the target subject and the add-ons. The copy opens for review before it goes into the cart. */
export const CopyToSubjectDialog = ({ open, onClose, route, view, addOns, others }: CopyToSubjectDialogProps) => {
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const { orderMethod } = useJobContext()
  const [missing, count] = useState(0)
  const { firstName } = view.line.snapshot.subject
  const own = orderMethod === 'prepay' ? 'names' : 'photos and names'
  const along = addOns.filter((one) => !left.has(one.number))
  const turn = (number: number, isIncluded: boolean) =>
    setLeft(new Set(isIncluded ? [...left].filter((one) => one !== number) : [...left, number]))
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="small"
      title={`${lineName(view.line)}, the same for …`}
      description={`As for ${firstName}, with their own ${own}. You see it before it goes into the cart.`}
    >
      <div className={styles.body}>
        {addOns.length > 0 && (
          <fieldset className={styles.along}>
            <legend>With it</legend>
            {addOns.map((one) => (
              <Checkbox
                key={one.number}
                label={lineName(one.line)}
                checked={!left.has(one.number)}
                onValue={(isIncluded) => turn(one.number, isIncluded)}
              />
            ))}
          </fieldset>
        )}
        <ul className={styles.people}>
          {others.map((subjectId) => {
            const Sibling = subjectId < 0 ? TypedSibling : ListedSibling
            const target = { ...route, subjectId }
            return (
              <Sibling
                key={subjectId}
                target={target}
                address={copyPackagesUrl(target, [view, ...along])}
                count={count}
              />
            )
          })}
        </ul>
        {missing === others.length && <p>Nobody else can be shown right now.</p>}
      </div>
    </Dialog>
  )
}

type CountMissing = (more: (before: number) => number) => void
type SiblingProps = { target: SubjectRoute; address: string; count: CountMissing }

/** Reports a subject that cannot be shown, so that the dialog can count them. */
const Missing = ({ count }: { count: CountMissing }) => {
  useEffect(() => {
    count((before) => before + 1)
    return () => count((before) => before - 1)
  }, [count])
  return null
}

const ListedSibling = ({ target: { jobId, subjectId }, address, count }: SiblingProps) => {
  const { data, problem } = useQuery(getSubject, { params: { jobId, subjectId } })
  // The studio hid this subject, or it is neither cached nor reachable: nothing can be copied to it.
  if (!data) return problem ? <Missing count={count} /> : <Skeleton shape="text" lines={1} />
  return <CopyLink address={address} {...data} />
}

const TypedSibling = ({ target: { jobId, subjectId }, address, count }: SiblingProps) => {
  const typedSubject = useLiveQuery(
    async () => (await typedSubjectByNumber(database, jobId, subjectId)) ?? null,
    [jobId, subjectId],
  )
  if (typedSubject === null) return <Missing count={count} />
  return typedSubject && <CopyLink address={address} {...typedSubject} imageThumbnailUrl={null} />
}

type CopyLinkProps = { address: string; firstName: string; lastName: string; imageThumbnailUrl: string | null }

const CopyLink = ({ address, firstName, lastName, imageThumbnailUrl }: CopyLinkProps) => (
  <li>
    <Link href={address} className={styles.person}>
      {imageThumbnailUrl && <img src={imageThumbnailUrl} alt="" className={styles.face} />}
      {firstName} {lastName}
    </Link>
  </li>
)
