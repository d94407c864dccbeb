import type { CallFailure } from '#local/transport/request.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import styles from './selection/select-package.module.css'

/** Skeletons: an image and two packages. */
export const SubjectLoading = () => (
  <div className={styles.screen} aria-busy="true">
    <VisuallyHidden>Loading photos</VisuallyHidden>
    <Skeleton shape="photo" />
    <div className={styles.loading}>
      <Skeleton shape="text" lines={2} />
      <Skeleton shape="block" height="12rem" />
      <Skeleton shape="block" height="12rem" />
    </div>
  </div>
)

type SubjectLoadErrorProps = { route: CustomerRoute; problem: CallFailure; retry: () => void }

/** Why the subject's images did not load, and what to do. */
export const SubjectLoadError = ({ route, problem, retry }: SubjectLoadErrorProps) => {
  const search = <ButtonLink href={urls.subjectSearch(route)}>Find your child</ButtonLink>
  if (problem.status === 'unreachable') {
    return (
      <EmptyState
        level={1}
        title="These photos aren’t on this phone yet"
        action={<Button onClick={retry}>Try again</Button>}
      >
        Opening a child for the first time needs a connection. Your cart is safe, and children you opened before still
        work.
      </EmptyState>
    )
  }
  if (problem.problem === 'grant-needed' || problem.status === 404) {
    return (
      <EmptyState level={1} title="Choose who you’re ordering for first" action={search}>
        Photos appear once you confirm your child.
      </EmptyState>
    )
  }
  return (
    <EmptyState level={1} title="This did not load" action={<Button onClick={retry}>Try again</Button>}>
      {problem.errors[0]}. Anything you chose is saved on this phone.
    </EmptyState>
  )
}
