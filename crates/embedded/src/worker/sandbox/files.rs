//! File access by Landlock. A rule applies to the file that was opened, not to its name: a later replacement of a name
//! or link is out of reach, and an opened file is checked by its location, not by its name.

use std::error::Error;
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, LandlockStatus,
    PathBeneath, Ruleset, RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, Scope,
};
use rowhouse_executor::catalog::files::{fixed_part, is_glob, list_files};
use rowhouse_executor::{Grant, Sandbox};
use rustix::fs::{FileType, Mode, OFlags, fstat, open};

/// The newest version whose rights are all meant here.
const KNOWN: ABI = ABI::V6;

/// Time zones, which jiff reads where a statement names one.
const TIME_ZONES: [&str; 3] = ["/usr/share/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo"];

/// Gives up what needs no rule: running programs, TCP, signals to others and their abstract sockets, and making devices,
/// sockets, pipes and links. Landlock's version; 0 without it.
pub(super) fn begin() -> Result<u32, Box<dyn Error>> {
    let given_up: BitFlags<AccessFs> = AccessFs::Execute
        | AccessFs::MakeChar
        | AccessFs::MakeBlock
        | AccessFs::MakeSock
        | AccessFs::MakeFifo
        | AccessFs::MakeSym
        | AccessFs::IoctlDev;
    let confined = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(given_up)?
        .handle_access(AccessNet::from_all(KNOWN))?
        .scope(Scope::from_all(KNOWN))?
        .create()?
        .restrict_self()?;
    Ok(match confined.landlock {
        LandlockStatus::Available { effective_abi, .. } => effective_abi as u32,
        LandlockStatus::NotEnabled | LandlockStatus::NotImplemented => 0,
    })
}

/// Gives up every right to files but those of the sandbox. What it names and is not there is left out: to read it is an
/// error of the statement. Fails where there are other threads, which would keep theirs.
pub(super) fn enter(sandbox: &Sandbox) -> Result<(), Box<dyn Error>> {
    if std::fs::read_dir("/proc/self/task")?.count() != 1 {
        return Err("the process has more than one thread".into());
    }
    let rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(KNOWN))?
        .scope(Scope::from_all(KNOWN))?
        .create()?;
    let mut rules = Rules {
        rules: Some(rules),
        sandbox,
        data_dir: canonical(&sandbox.data_dir),
        files_dir: canonical(&sandbox.files_dir),
        home: None,
    };
    rules.allow_writing(&sandbox.work_dir)?;
    for folder in TIME_ZONES {
        rules.allow_folder(Path::new(folder))?;
    }
    for grant in &sandbox.grants {
        match grant {
            Grant::Folder(folder) => rules.allow_folder(folder)?,
            Grant::Table { location, format } => rules.allow_table(location, *format)?,
        }
    }
    if let Some(rules) = rules.rules.take() {
        rules.restrict_self()?;
    }
    Ok(())
}

struct Rules<'a> {
    /// Taken while one is added.
    rules: Option<RulesetCreated>,
    sandbox: &'a Sandbox,
    data_dir: PathBuf,
    files_dir: PathBuf,
    /// The workspace's folder of files, for a table that lies there.
    home: Option<PathBuf>,
}

type Done = Result<(), Box<dyn Error>>;

impl Rules<'_> {
    fn allow_writing(&mut self, folder: &Path) -> Done {
        let opened = opened(folder).ok_or("the folder of its own cannot be opened")?;
        let rights = AccessFs::ReadFile
            | AccessFs::ReadDir
            | AccessFs::WriteFile
            | AccessFs::Truncate
            | AccessFs::MakeReg
            | AccessFs::MakeDir
            | AccessFs::RemoveFile;
        self.add(&opened, rights)
    }

    fn allow_folder(&mut self, folder: &Path) -> Done {
        match opened(folder) {
            Some(opened) => self.add(&opened, AccessFs::ReadFile | AccessFs::ReadDir),
            None => Ok(()),
        }
    }

    /// A file, or a folder with all below it. Of a pattern, or of a folder that the data directory lies in, the files that
    /// are there now, and the names of all that lie where it begins.
    fn allow_table(&mut self, location: &str, format: rowhouse_model::TableFormat) -> Done {
        let path = Path::new(location);
        self.home = self.home_of(path);
        match opened(path) {
            Some(found) if !is_folder(&found) => self.allow_file(&found, None),
            Some(found) if real_path(&found).is_some_and(|real| !self.data_dir.starts_with(real)) => {
                if self.is_of_a_table(&found, None) {
                    self.add(&found, AccessFs::ReadFile | AccessFs::ReadDir)?;
                }
                Ok(())
            }
            Some(found) => self.allow_files(&found, location, format),
            None if is_glob(location) => match opened(fixed_part(location)) {
                Some(found) => self.allow_files(&found, location, format),
                None => Ok(()),
            },
            None => Ok(()),
        }
    }

    fn allow_files(&mut self, within: &OwnedFd, location: &str, format: rowhouse_model::TableFormat) -> Done {
        self.add(within, AccessFs::ReadDir.into())?;
        let Some(root) = real_path(within) else { return Ok(()) };
        // What is wrong with them the statement says.
        for file in list_files(location, format).unwrap_or_default() {
            if let Some(found) = opened(&file) {
                self.allow_file(&found, Some(&root))?;
            }
        }
        Ok(())
    }

    fn allow_file(&mut self, file: &OwnedFd, root: Option<&Path>) -> Done {
        if self.is_of_a_table(file, root) { self.add(file, AccessFs::ReadFile.into()) } else { Ok(()) }
    }

    /// Whether what was opened lies where tables may, and in the folder that a pattern begins with.
    fn is_of_a_table(&self, file: &OwnedFd, root: Option<&Path>) -> bool {
        let Some(real) = real_path(file) else { return false };
        if let Some(home) = &self.home {
            return real.starts_with(home) && root.is_none_or(|root| real.starts_with(root));
        }
        let roots = &self.sandbox.table_roots;
        (roots.is_empty() || roots.iter().any(|root| real.starts_with(root)))
            && root.is_none_or(|root| real.starts_with(root))
            && (!real.starts_with(&self.data_dir)
                || roots.iter().any(|root| root.starts_with(&self.data_dir)))
    }

    /// The folder of files that a location begins with, without links.
    fn home_of(&self, location: &Path) -> Option<PathBuf> {
        let mut folder = PathBuf::new();
        let mut components = location.components();
        while let Some(component) = components.next() {
            folder.push(component);
            if folder.file_name() == self.files_dir.file_name() && canonical(&folder) == self.files_dir {
                return Some(self.files_dir.join(components.next()?));
            }
        }
        None
    }

    fn add(&mut self, file: &OwnedFd, rights: BitFlags<AccessFs>) -> Done {
        if let Some(rules) = self.rules.take() {
            self.rules = Some(rules.add_rule(PathBeneath::new(file.as_fd(), rights))?);
        }
        Ok(())
    }
}

/// What is there, without reading it.
fn opened(path: &Path) -> Option<OwnedFd> {
    open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).ok()
}

fn is_folder(file: &OwnedFd) -> bool {
    fstat(file).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode).is_dir())
}

/// Where it is now, whatever it was called.
fn real_path(file: &OwnedFd) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).ok()
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
