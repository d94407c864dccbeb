import SaveIcon from 'lucide-react/icons/download'
import FileArchive from 'lucide-react/icons/file-archive'
import { type ReactNode, useState } from 'react'
import { StudioPage } from '#client/customer/shared/studio/studio-page.tsx'
import { type Download, getDownload } from '#contract/customer/download-calls.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { formatFileSize } from '#domain/shared/file-size.ts'
import { isFinalFailure } from '#local/transport/failure-cause.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { type LinkRoute, urls } from '#platform/urls.ts'
import { usePolling } from '#platform/use-polling.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { Loader } from '#ui/feedback/loader.tsx'
import { useStateTitle } from '#ui/page/document-title.ts'
import { PlainPage } from '#ui/page/plain-page.tsx'
import styles from './downloads.module.css'
import { RenewDownloadForm } from './renew-download-form.tsx'
import { canShareFiles, ShareImageButton } from './share-image-button.tsx'

/** Interval in milliseconds between polls while files are being made. */
const pollMs = 4_000

/** The target of a download link (section 2): purchased files, one by one and all together. */
export const DownloadScreen = ({ linkId }: LinkRoute) => {
  const { data: download, problem, loading, refetch: retry } = useQuery(getDownload, { params: { linkId } })
  usePolling(download?.missingCount === undefined ? null : retry, pollMs)
  if (loading) return <Loader label="Opening your download" />
  if (!download) return <DownloadError problem={problem} retry={retry} />
  if (download.state === 'expired') return <Expired download={download} linkId={linkId} retry={retry} />
  if (download.state === 'waiting') return <Waiting download={download} />
  return <Ready download={download} />
}

const downloadTitle = ({ subjectName, kind }: Download): string => {
  const noun = kind === 'all' ? 'photos' : 'photo'
  return subjectName === '' ? `Your ${noun}` : `${subjectName}’s ${noun}`
}

type DownloadPageProps = { download: Download; title: string; children: ReactNode }

const DownloadPage = ({ download, title, children }: DownloadPageProps) => {
  const { studioSlug, studioName, jobName } = download
  return (
    <StudioPage {...{ studioSlug, studioName, title }}>
      <p className={styles.soft}>{jobName}</p>
      {children}
    </StudioPage>
  )
}

type ThumbnailProps = Pick<Download['files'][number], 'thumbnail'>

/** A file's thumbnail, in a box of its final size before it has loaded. */
const Thumbnail = ({ thumbnail, label }: ThumbnailProps & { label: string }) => (
  <span className={styles.thumbnail}>
    {thumbnail && (
      <img
        src={thumbnail.url}
        width={thumbnail.width}
        height={thumbnail.height}
        alt={label}
        loading="lazy"
        decoding="async"
      />
    )}
  </span>
)

const PendingFiles = ({ missingCount: pending }: Download) => {
  if (pending === undefined) return null
  const subjectAndVerb = pending === 1 ? 'One more photo is' : `${pending} more photos are`
  return <p role="status">{subjectAndVerb} getting the background you chose. They appear here when ready.</p>
}

const Ready = ({ download }: { download: Download }) => {
  const { files, zipUrl, goodUntil, subjectName, studioSlug, printsOf } = download
  const [canShare] = useState(canShareFiles)
  const positionLabel = (index: number): string =>
    files.length > 1 ? `Photo ${index + 1} of ${files.length}` : 'The photo'
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return (
    <DownloadPage download={download} title={downloadTitle(download)}>
      {zipUrl && (
        <p>
          <ButtonLink href={zipUrl} download="" icon={FileArchive} size="lg" wide>
            Download all {files.length} ({formatFileSize(bytes)})
          </ButtonLink>
        </p>
      )}
      <PendingFiles {...download} />
      <ul className={styles.files}>
        {files.map(({ name, bytes: size, width, height, url, ...file }, index) => (
          <li key={url}>
            <Thumbnail
              label={subjectName === '' ? positionLabel(index) : `${positionLabel(index)}, ${subjectName}`}
              {...file}
            />
            <span className={styles.name}>
              {name}
              <span className={styles.soft}>
                {width} × {height} · {formatFileSize(size)}
              </span>
            </span>
            <span className={styles.actions}>
              {canShare && <ShareImageButton name={name} url={url} />}
              <ButtonLink
                href={url}
                download={name}
                icon={SaveIcon}
                variant={canShare || zipUrl ? 'secondary' : 'primary'}
                aria-label={`Download ${name}`}
              >
                Download
              </ButtonLink>
            </span>
          </li>
        ))}
      </ul>
      {printsOf && (
        <p>
          <ButtonLink href={urls.selectPackage({ studioSlug, ...printsOf })} variant="secondary" wide>
            Order prints
          </ButtonLink>
        </p>
      )}
      <p className={styles.soft}>Downloads resume if interrupted. This link works until {formatDate(goodUntil)}.</p>
    </DownloadPage>
  )
}

const Waiting = ({ download }: { download: Download }) => (
  <DownloadPage download={download} title={downloadTitle(download)}>
    {download.missingCount === undefined ? (
      <p>Nothing to download yet. {download.studioName} will email you when there is.</p>
    ) : (
      <p role="status">
        {download.missingCount === 1 ? 'Your photo is' : 'Your photos are'} getting the background you chose. This takes
        a moment; keep this page open.
      </p>
    )}
  </DownloadPage>
)

const Expired = ({ download, linkId, retry }: { download: Download; linkId: string; retry: () => void }) => (
  <DownloadPage download={download} title="This link has expired">
    <p>Your photos are still here. Enter your order number and email to renew the link.</p>
    <RenewDownloadForm linkId={linkId} onRenewed={retry} />
  </DownloadPage>
)

type DownloadErrorProps = { problem: CallFailure | undefined; retry: () => void }

const DownloadError = ({ problem, retry }: DownloadErrorProps) => {
  const isGone = problem !== undefined && isFinalFailure(problem)
  const title = isGone ? 'Download not found' : 'This download did not load'
  useStateTitle(title)
  return (
    <PlainPage title={title}>
      <p>{problem?.errors.join('. ')}.</p>
      <div className={styles.actions}>
        {!isGone && <Button onClick={retry}>Try again</Button>}
        <ButtonLink href={urls.home()} variant={isGone ? 'primary' : 'secondary'}>
          Find your order
        </ButtonLink>
      </div>
    </PlainPage>
  )
}
