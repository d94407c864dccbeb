import { StudioPage } from '#client/customer/shared/studio/studio-page.tsx'
import { getSharedImages, type SharedImages } from '#contract/customer/shared-images.ts'
import { smallPreviewSuffix } from '#contract/shapes/image-structs.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { isFinalFailure } from '#local/transport/failure-cause.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { useQuery } from '#platform/api/use-query.ts'
import type { LinkRoute } from '#platform/urls.ts'
import { Button } from '#ui/button/button.tsx'
import { Loader } from '#ui/feedback/loader.tsx'
import { useStateTitle } from '#ui/page/document-title.ts'
import { PlainPage } from '#ui/page/plain-page.tsx'
import styles from './shared-images.module.css'

/** The target of a link that shows photos to someone: only to look at, without a cart, a search or a session. */
export const SharedImagesScreen = ({ studioSlug, linkId: token }: LinkRoute) => {
  const { data, problem, loading, refetch } = useQuery(getSharedImages, { params: { slug: studioSlug, token } })
  if (loading) return <Loader label="Opening the photos" />
  return data ? <Shared {...data} /> : <NotShared problem={problem} retry={refetch} />
}

const Shared = ({ studioSlug, studioName, firstName, expiresOn, images }: SharedImages) => {
  const noun = images.length === 1 ? 'photo' : 'photos'
  const title = firstName === null ? `${images.length} ${noun} to look at` : `${firstName}’s ${noun}`
  const labelOf = (index: number) =>
    `Photo ${index + 1} of ${images.length}${firstName === null ? '' : `, ${firstName}`}`
  return (
    <StudioPage {...{ studioSlug, studioName, title }}>
      <p className={styles.soft}>
        {images.length === 1 ? 'A preview' : 'Previews'} with a watermark, to look at until {formatDate(expiresOn)}.
      </p>
      <ul className={styles.images}>
        {images.map(({ id, width, height, previewUrl }, index) => (
          <li key={id}>
            <img
              src={previewUrl}
              srcSet={`${previewUrl}${smallPreviewSuffix} 900w, ${previewUrl} 1280w`}
              sizes="(min-width: 720px) 40rem, 100vw"
              width={width}
              height={height}
              alt={labelOf(index)}
              loading={index === 0 ? undefined : 'lazy'}
              decoding="async"
            />
          </li>
        ))}
      </ul>
    </StudioPage>
  )
}

type NotSharedProps = { problem: CallFailure | undefined; retry: () => void }

/** The same for a link that has expired, was stopped, or never existed. */
const NotShared = ({ problem, retry }: NotSharedProps) => {
  const hasEnded = problem !== undefined && isFinalFailure(problem)
  const title = hasEnded ? 'This link has ended' : 'The photos did not load'
  useStateTitle(title)
  return (
    <PlainPage title={title}>
      <p>{hasEnded ? 'Ask for a new one.' : `${problem?.errors.join('. ') ?? ''}.`}</p>
      {!hasEnded && (
        <div>
          <Button onClick={retry}>Try again</Button>
        </div>
      )}
    </PlainPage>
  )
}
