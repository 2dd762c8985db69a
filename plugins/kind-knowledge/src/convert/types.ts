/** What a file became. */
export interface Converted {
  markdown: string;
  /** As the file itself has it. */
  title?: string | undefined;
}

/** Why a file was not taken in. The words go to the person. */
export class Rejected extends Error {
  constructor(
    readonly reason: 'empty' | 'scanned_pdf' | 'encrypted' | 'unsupported_type' | 'too_large' | 'damaged',
    message: string,
  ) {
    super(message);
  }
}
