/** Toasts and questions: asked for from anywhere, drawn once by the shell. */
export interface Toast {
  text: string;
  undo?: () => void;
}
export interface Question {
  title: string;
  /** What goes, what stays. */
  text: string;
  /** The verb on the button. */
  verb: string;
  danger?: boolean;
}
interface Desk {
  toast(toast: Toast): void;
  confirm(question: Question): Promise<boolean>;
}

let desk: Desk = { toast: () => undefined, confirm: () => Promise.resolve(false) };

/** Called once, by the shell. */
export function setDesk(d: Desk): void {
  desk = d;
}

/** News that is not visible anyway, for eight seconds; with `undo` it can be taken back, for ten. */
export const toast = (text: string, undo?: () => void): void => desk.toast({ text, ...(undo && { undo }) });

/** Resolves to whether the person agreed. Only for what cannot come back. */
export const confirm = (question: Question): Promise<boolean> => desk.confirm(question);
