import SaveIcon from 'lucide-react/icons/download'
import FileArchive from 'lucide-react/icons/file-archive'
import { type Download, getDownload } from '#contract/customer/download-calls.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { formatFileSize } from '#domain/shared/file-size.ts'
import { isFinalFailure } from '#local/transport/failure-cause.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { type DownloadRoute, urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { Loader } from '#ui/feedback/loader.tsx'
import { PlainPage } from '#ui/page/plain-page.tsx'
import { useStateTitle } from '#ui/page/state-title.ts'
import styles from './downloads.module.css'
import { RenewDownloadForm } from './renew-download-form.tsx'
import { usePolling } from './use-polling.ts'

/** The target of a download link (section 2): purchased files, one by one and all together. */
export const DownloadScreen = ({ linkId }: DownloadRoute) => {
  const { data: download, problem, loading, refetch: retry } = useQuery(getDownload, { params: { linkId } })
  usePolling(download?.making === undefined ? null : retry)
  if (loading) return <Loader label="Opening your download" />
  if (!download) return <DownloadError problem={problem} retry={retry} />
  if (download.state === 'expired') return <Expired download={download} linkId={linkId} retry={retry} />
  if (download.state === 'waiting') return <Waiting download={download} />
  return <Ready download={download} />
}

const labelOf = ({ personName, kind }: Download): string => {
  const what = kind === 'all' ? 'pictures' : 'picture'
  return personName === '' ? `Your ${what}` : `${personName}’s ${what}`
}

const From = ({ jobName, studioName }: Download) => (
  <p className={styles.soft}>
    {jobName} · {studioName}
  </p>
)

type ThumbnailProps = Pick<Download['files'][number], 'thumbnail'>

/** A file's thumbnail, in a box of its final size before it has loaded. */
const Thumbnail = ({ thumbnail, label }: ThumbnailProps & { label: string }) => (
  <span className={styles.picture}>
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

const StillMaking = ({ making: pending }: Download) => {
  if (pending === undefined) return null
  const what = pending === 1 ? 'One more picture is' : `${pending} more pictures are`
  return <p role="status">{what} being put on the background you chose. They show here as soon as they are ready.</p>
}

const Ready = ({ download }: { download: Download }) => {
  const { files, zipUrl, goodUntil, personName } = download
  const positionOf = (at: number): string => (files.length > 1 ? `Picture ${at + 1} of ${files.length}` : 'The picture')
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return (
    <PlainPage title={labelOf(download)}>
      <From {...download} />
      {zipUrl && (
        <p>
          <ButtonLink href={zipUrl} download="" icon={FileArchive} size="lg" wide>
            Download all {files.length} ({formatFileSize(bytes)})
          </ButtonLink>
        </p>
      )}
      <StillMaking {...download} />
      <ul className={styles.files}>
        {files.map(({ name, bytes: size, width, height, url, ...file }, at) => (
          <li key={url}>
            <Thumbnail label={personName === '' ? positionOf(at) : `${positionOf(at)}, ${personName}`} {...file} />
            <span className={styles.name}>
              {name}
              <span className={styles.soft}>
                {width} × {height} · {formatFileSize(size)}
              </span>
            </span>
            <ButtonLink
              href={url}
              download={name}
              icon={SaveIcon}
              variant={zipUrl ? 'secondary' : 'primary'}
              aria-label={`Download ${name}`}
            >
              Download
            </ButtonLink>
          </li>
        ))}
      </ul>
      <p className={styles.soft}>
        A download that breaks off goes on where it stopped. On an iPhone, open the file and choose Share, then Save
        Image. This link is good until {formatDate(goodUntil)}.
      </p>
    </PlainPage>
  )
}

const Waiting = ({ download }: { download: Download }) => (
  <PlainPage title={labelOf(download)}>
    <From {...download} />
    {download.making === undefined ? (
      <p>There is nothing to download yet. {download.studioName} tells you by mail as soon as there is.</p>
    ) : (
      <p role="status">
        {download.making === 1 ? 'Your picture is' : 'Your pictures are'} being put on the background you chose. This
        takes a moment; this page shows {download.making === 1 ? 'it' : 'them'} by itself.
      </p>
    )}
  </PlainPage>
)

const Expired = ({ download, linkId, retry }: { download: Download; linkId: string; retry: () => void }) => (
  <PlainPage title="This link has expired">
    <From {...download} />
    <p>
      Your pictures are still here. Give the order’s number and the e-mail address it was placed with, and the link is
      good again.
    </p>
    <RenewDownloadForm linkId={linkId} onRenewed={retry} />
  </PlainPage>
)

type DownloadErrorProps = { problem: CallFailure | undefined; retry: () => void }

const DownloadError = ({ problem, retry }: DownloadErrorProps) => {
  const isGone = problem !== undefined && isFinalFailure(problem)
  const title = isGone ? 'This download is not here' : 'This download did not load'
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
