// What settings may say in place of text that depends on the machine.

import { homedir } from "node:os";

export interface Variables {
  folder: string | undefined;
  environment: NodeJS.ProcessEnv;
}

/** `~` at the start, `${workspaceFolder}`, `${userHome}` and `${env:NAME}` replaced; what is unknown stays. */
export function replaceVariables(text: string, variables: Variables): string {
  return text
    .replace(/^~(?=$|[\\/])/, () => homedir())
    .replace(/\$\{userHome\}/g, () => homedir())
    .replace(/\$\{workspaceFolder\}/g, (whole) => variables.folder ?? whole)
    .replace(/\$\{env:([^}]+)\}/g, (_, name: string) => variables.environment[name] ?? "");
}
