;; Works on the project in $CHECK_PROJECT as a user would, and writes what it sees to $CHECK_REPORT.

(require 'package)
(package-initialize)
(require 'eglot)
(require 'flymake)
(require 'json)
(load (getenv "CHECK_SNIPPET"))
(add-to-list 'auto-mode-alist '("\\.rs\\'" . rust-mode))
(setq eglot-sync-connect 20
      eglot-confirm-server-initiated-edits nil
      eglot-send-changes-idle-time 0.1
      inhibit-message t)

(defvar project (file-name-as-directory (getenv "CHECK_PROJECT")))

(defun report (step value)
  (write-region (concat (json-encode `((step . ,step) (value . ,value))) "\n")
                nil (getenv "CHECK_REPORT") t))

(defmacro wait-until (form)
  `(let ((end (+ (float-time) 10)))
     (while (and (not ,form) (< (float-time) end))
       (accept-process-output nil 0.05)
       (sit-for 0.05))))

(defun open (path mode)
  (find-file (concat project path))
  (funcall mode)
  (setq-local indent-tabs-mode nil)
  (unless (eglot-managed-p) (apply #'eglot (eglot--guess-contact)))
  (flymake-mode 1))

(defun diagnostics ()
  (sort (seq-filter (lambda (found) (string-match "LVR" (flymake-diagnostic-text found))) (flymake-diagnostics))
        (lambda (a b) (< (flymake-diagnostic-beg a) (flymake-diagnostic-beg b)))))

(defun findings ()
  (vconcat
   (mapcar (lambda (found)
             (let ((text (flymake-diagnostic-text found)))
               (string-match "LVR[0-9]+" text)
               (vector (match-string 0 text)
                       (buffer-substring-no-properties (flymake-diagnostic-beg found)
                                                       (flymake-diagnostic-end found)))))
           (diagnostics))))

;; Deleting text deletes its mark as well: only what the server says after a change counts.
(defvar published 0)
(cl-defmethod eglot-handle-notification :after (_server (_method (eql textDocument/publishDiagnostics)) &rest _)
  (setq published (1+ published)))

(defun findings-when (count)
  (let ((before published))
    (eglot--signal-textDocument/didChange)
    (wait-until (and (> published before) (= (length (diagnostics)) count)))
    (findings)))

(defun at (needle)
  (goto-char (point-min))
  (search-forward needle)
  (goto-char (match-beginning 0)))

(defun places (found)
  (vconcat
   (mapcar (lambda (item)
             (let ((location (xref-item-location item)))
               (format "%s:%d" (file-relative-name (xref-location-group location) project)
                       (xref-location-line location))))
           found)))

(defun act (needle wanted)
  "Apply the action that is offered at NEEDLE and has WANTED in its title; give all titles."
  (at needle)
  (let* ((actions (eglot-code-actions (point) (+ (point) (length needle)) nil nil))
         (chosen (seq-find (lambda (action) (string-match wanted (plist-get action :title))) actions)))
    (when chosen
      (unless (plist-get chosen :edit)
        (setq chosen (jsonrpc-request (eglot-current-server) :codeAction/resolve chosen)))
      (eglot--apply-workspace-edit (plist-get chosen :edit)))
    (vconcat (mapcar (lambda (action) (plist-get action :title)) actions))))

(open "engine/decode.py" #'python-mode)
(wait-until (>= (length (diagnostics)) 2))
(report "findings" (findings))

(at "DEMO_POISON")
(let ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams))))
  (report "hover" (plist-get (plist-get hover :contents) :value)))
(at "DEMO_POISON")
(report "definition" (places (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot))))
(at "DEMO_POISON")
(report "references" (places (xref-backend-references 'eglot (xref-backend-identifier-at-point 'eglot))))

(at "    if poison")
(insert "    trace = \"😀é\"; trace = flag(\"DEMO_TRACE\")\n")
(report "typed" (findings-when 3))
(at "    trace =")
(delete-region (point) (progn (forward-line 1) (point)))
(report "typed and removed" (findings-when 2))

(let ((decode (current-buffer)))
  (open "engine/flags.py" #'python-mode)
  (at "os.environ.get(name) == \"1\"")
  (delete-region (point) (line-end-position))
  (insert "False")
  (eglot--signal-textDocument/didChange)
  (with-current-buffer decode
    (wait-until (= (length (diagnostics)) 1))
    (report "wrapper edited" (findings)))
  (revert-buffer t t)
  (eglot--signal-textDocument/didChange)
  (switch-to-buffer decode)
  (wait-until (= (length (diagnostics)) 2)))

(report "actions" (act "os.environ.get" "[Ss]uppress"))
(report "suppressed" (buffer-string))
(report "left" (findings-when 1))
(act "flag(\"DEMO_POISON\")" "Levers.get")
(report "fixed" (buffer-string))
(set-buffer-modified-p nil)

(open "kernel/src/lib.rs" #'rust-mode)
(wait-until (>= (length (diagnostics)) 1))
(report "rust" (findings))

(setq-default eglot-workspace-configuration '((:leverlint . (:ignore ["raw-read"]))))
(eglot-signal-didChangeConfiguration (eglot-current-server))
(wait-until (= (length (diagnostics)) 0))
(report "settings" (findings))

(kill-emacs 0)
