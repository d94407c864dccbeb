import { type Problem, problem } from '../http/problem.ts'
import type { ImageRejection } from '../images/inspection/image-rejection.ts'

/** Seconds after which a file that found all threads taken may be sent once more. */
const retryAfterSeconds = 60

/** What a call answers of a picture that was not taken: for good, or for now (429), which is never recorded for a repetition. */
export const problemOfFile = (
  fileName: string,
  { problem: name, message: sentence }: ImageRejection,
  fields?: Record<string, string[]>,
): Problem<'refused' | 'slow-down'> => {
  const sentences = fileName ? `${fileName}: ${sentence}` : sentence
  return name === 'busy'
    ? problem('slow-down', sentences, { retryAfterSeconds })
    : problem('refused', sentences, { fields })
}
