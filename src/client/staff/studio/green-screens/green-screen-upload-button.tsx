import Upload from 'lucide-react/icons/upload'
import { useRef, useState } from 'react'
import { FileInput } from '#client/staff/kit/form/file-input.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { postGreenScreen } from '#contract/studio/green-screens.ts'
import { Button } from '#ui/button/button.tsx'

/** Uploads backgrounds one after the other. If one is rejected, a toast shows the reason and the upload continues. */
export const GreenScreenUploadButton = ({ job: { studioId, jobId } }: { job: JobParams }) => {
  const input = useRef<HTMLInputElement>(null)
  const post = useStaffMutation(postGreenScreen)
  const [remainingCount, setRemainingCount] = useState(0)
  const uploadAll = async (files: readonly File[]) => {
    for (const [index, file] of files.entries()) {
      setRemainingCount(files.length - index)
      const form = new FormData()
      form.append('File', file)
      await post.mutate({ params: { studioId, jobId }, form })
    }
    setRemainingCount(0)
  }
  return (
    <>
      <FileInput
        ref={input}
        label="Images to upload as backgrounds"
        accept="image/jpeg,image/png,image/webp"
        multiple
        onFiles={(files) => void uploadAll(files)}
      />
      <Button icon={Upload} loading={remainingCount > 0} onClick={() => input.current?.click()}>
        {remainingCount > 1 ? `${remainingCount} to go` : 'Upload backgrounds'}
      </Button>
    </>
  )
}
